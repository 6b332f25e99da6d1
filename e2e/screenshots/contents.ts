import type { Scene } from './scene.ts'

export const WIDTHS = [390, 1440, 1920] as const

/** The table of contents of `docs/screenshots`, as Markdown. */
export function contentsOf(scenes: readonly Scene[]): string {
  const row = ({ name, shows }: Scene): string =>
    `| ${shows} | ${WIDTHS.map((width) => `[${width}](${name}-${width}.webp)`).join(' | ')} |`
  return [
    '# Screenshots',
    '',
    'Every page and its important states, on a phone, a laptop and a television. `pnpm screenshots` renews them, `pnpm screenshots guide home` those two. YouTube’s pictures may not be published: drawn ones replace them.',
    '',
    `| page | ${WIDTHS.map((width) => `${width} px`).join(' | ')} |`,
    `|---|${WIDTHS.map(() => '---|').join('')}`,
    ...scenes.map(row),
    '',
  ].join('\n')
}
