import type { ThemeBody } from '@looptide/contracts/http/admin'

/** The colors of a theme as bars on its background. Hidden from screen readers. */
export function Swatches({ theme }: { theme: ThemeBody }) {
  const bars = [theme.primaryColor, theme.secondaryColor, theme.accentColor, theme.textColor]
  return (
    <svg viewBox="0 0 64 44" className="h-11 w-16 shrink-0 rounded-sm" aria-hidden="true">
      <rect width="64" height="44" fill={theme.backgroundColor} />
      {bars.map((color, index) => (
        <rect key={BAR_X[index]} x={BAR_X[index]} y="10" width="9" height="24" rx="2" fill={color} />
      ))}
    </svg>
  )
}

const BAR_X = [8, 21, 34, 47]
