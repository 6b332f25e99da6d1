/** Arithmetic on `#rrggbb` colours, with contrast and luminance as defined by WCAG 2.2. */
type Rgb = readonly [red: number, green: number, blue: number]

const parse = (hex: string): Rgb => [
  Number.parseInt(hex.slice(1, 3), 16),
  Number.parseInt(hex.slice(3, 5), 16),
  Number.parseInt(hex.slice(5, 7), 16),
]

const channel = (value: number): string => Math.round(value).toString(16).padStart(2, '0')
const format = ([red, green, blue]: Rgb): string => `#${channel(red)}${channel(green)}${channel(blue)}`

/** `share` (0…1) of `b` in `a`. */
export function mix(a: string, b: string, share: number): string {
  const from = parse(a)
  const to = parse(b)
  const at = (index: 0 | 1 | 2) => from[index] + (to[index] - from[index]) * share
  return format([at(0), at(1), at(2)])
}

/** Relative luminance, 0 (black) to 1 (white). */
export function luminance(hex: string): number {
  const [red, green, blue] = parse(hex).map((value) => {
    const unit = value / 255
    return unit <= 0.04045 ? unit / 12.92 : ((unit + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}

/** Contrast ratio, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05)
}

const worst = (colour: string, backgrounds: readonly string[]): number =>
  Math.min(...backgrounds.map((background) => contrast(colour, background)))

/** Black or white, whichever is easier to read on `background`. */
export function inkOn(background: string): string {
  return contrast('#ffffff', background) >= contrast('#000000', background) ? '#ffffff' : '#000000'
}

/** `colour`, mixed with as little `ink` as needed for a contrast of at least `ratio` on all of `backgrounds`. */
export function readable(colour: string, ink: string, backgrounds: readonly string[], ratio: number): string {
  for (let step = 0; step <= 20; step += 1) {
    const candidate = mix(colour, ink, step / 20)
    if (worst(candidate, backgrounds) >= ratio) return candidate
  }
  return ink
}
