interface CountProps {
  readonly added: number | null;
  readonly removed: number | null;
}

/** Lines added and removed; null if not applicable. */
export function Count({ added, removed }: CountProps) {
  if (added === null || removed === null) return <span class="soft">binary</span>;
  return (
    <span class="count">
      <span class="work">+{added}</span> <span class="error">−{removed}</span>
    </span>
  );
}
