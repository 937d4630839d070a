interface CountProps {
  readonly added: number | null;
  readonly removed: number | null;
}

/** Lines that were added and removed; null for what has none. */
export function Count({ added, removed }: CountProps) {
  if (added === null || removed === null) return <span class="soft">binary</span>;
  return (
    <span class="count">
      <span class="work">+{added}</span> <span class="error">−{removed}</span>
    </span>
  );
}
