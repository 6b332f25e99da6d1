import type { ThemeBody } from '@looptide/contracts/http/admin'

/** A theme's colours at a glance: a bar each on its own background. Says nothing to a screen reader. */
export function Swatches({ theme }: { theme: ThemeBody }) {
  const bars = [theme.primaryColor, theme.secondaryColor, theme.accentColor, theme.textColor]
  return (
    <svg viewBox="0 0 64 44" className="h-11 w-16 shrink-0 rounded-sm" aria-hidden="true">
      <rect width="64" height="44" fill={theme.backgroundColor} />
      {bars.map((colour, index) => (
        <rect key={BAR_X[index]} x={BAR_X[index]} y="10" width="9" height="24" rx="2" fill={colour} />
      ))}
    </svg>
  )
}

const BAR_X = [8, 21, 34, 47]
