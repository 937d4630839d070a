/** Completion scripts per shell: words are passed to tmpm verbatim, so nothing in them is executed. A program called by its path is queried itself. */
export const SCRIPTS = {
  bash: String.raw`# Completion of tmpm for bash.
_tmpm() {
  local program=tmpm word=\${COMP_WORDS[COMP_CWORD]} line
  case \${COMP_WORDS[0]} in
    '~'/*) program=$HOME\${COMP_WORDS[0]#'~'} ;;
    */*) program=\${COMP_WORDS[0]} ;;
  esac
  # The quote of a word that is still open belongs to bash.
  case $word in \'* | \"*) word=\${word#?} ;; esac
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files) compopt -o default 2>/dev/null ;;
      :directories) compopt -o dirnames 2>/dev/null ;;
      *) COMPREPLY+=("\${line%%$'\t'*}") ;;
    esac
  done < <("$program" __complete bash "\${COMP_WORDS[@]:1:COMP_CWORD-1}" "$word" 2>/dev/null)
}
complete -F _tmpm tmpm
`.replaceAll("\\$", "$"),
  zsh: String.raw`#compdef tmpm
# Completion of tmpm for zsh.
_tmpm() {
  local program=tmpm line value
  local -a found
  case $words[1] in
    '~'/*) program=$HOME\${\${(Q)words[1]}#'~'} ;;
    */*) program=\${(Q)words[1]} ;;
  esac
  while IFS= read -r line; do
    case $line in
      :files | :directories)
        [[ $PREFIX = --*=* ]] && compset -P 1 '*='
        [[ $line = :files ]] && _files || _files -/
        return ;;
      *) value=\${line%%$'\t'*}; found+=("\${value//:/\\:}:\${line#*$'\t'}") ;;
    esac
  done < <("$program" __complete zsh "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)
  (( $#found )) && _describe -V tmpm found
}
if [ "$funcstack[1]" = _tmpm ]; then _tmpm "$@"; else compdef _tmpm tmpm; fi
`.replaceAll("\\$", "$"),
  fish: String.raw`# Completion of tmpm for fish.
function __tmpm_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program tmpm
    switch "$words[1]"
        case '~/*'
            set program $HOME(string sub -s 2 -- $words[1])
        case '*/*'
            set program $words[1]
    end
    for line in ($program __complete fish $words[2..-1] (string unescape -- "$current") 2>/dev/null)
        switch $line
            # The default completions of fish after a command that it does not know.
            case :files
                complete -C "'' $current"
            case :directories
                complete -C "'' $current" | string match -r '.*/\t?$'
            case '*'
                echo $line
        end
    end
end
complete -c tmpm -f -a '(__tmpm_complete)'
`,
} as const;

export type Shell = keyof typeof SCRIPTS;
