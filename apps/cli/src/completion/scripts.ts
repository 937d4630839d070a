/** What a shell runs for each completion: the words go to tmpm as they are, so that nothing in them is run. */
export const SCRIPTS = {
  bash: String.raw`# Completion of tmpm for bash.
_tmpm() {
  local program=tmpm line
  case \${COMP_WORDS[0]} in */*) program=\${COMP_WORDS[0]} ;; esac
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files) compopt -o default 2>/dev/null ;;
      :directories) compopt -o dirnames 2>/dev/null ;;
      *) COMPREPLY+=("\${line%%$'\t'*}") ;;
    esac
  done < <("$program" __complete bash "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _tmpm tmpm
`.replaceAll("\\$", "$"),
  zsh: String.raw`#compdef tmpm
# Completion of tmpm for zsh.
_tmpm() {
  local line value
  local -a found
  while IFS= read -r line; do
    case $line in
      :files) _files && return 0 ;;
      :directories) _files -/ && return 0 ;;
      *) value=\${line%%$'\t'*}; found+=("\${value//:/\\:}:\${line#*$'\t'}") ;;
    esac
  done < <(tmpm __complete zsh "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  (( $#found )) && _describe -V tmpm found
}
if [ "$funcstack[1]" = _tmpm ]; then _tmpm "$@"; else compdef _tmpm tmpm; fi
`.replaceAll("\\$", "$"),
  fish: `# Completion of tmpm for fish.
function __tmpm_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in (tmpm __complete fish $words[2..-1] "$current" 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path "$current"
            case :directories
                __fish_complete_directories "$current"
            case '*'
                echo $line
        end
    end
end
complete -c tmpm -f -a '(__tmpm_complete)'
`,
} as const;

export type Shell = keyof typeof SCRIPTS;
