import type { Scene } from './scene.ts'

export const WIDTHS = [390, 1440, 1920] as const

/** The table of contents of `docs/screenshots`, as Markdown. */
export function contentsOf(scenes: readonly Scene[]): string {
  const row = ({ name, shows }: Scene): string =>
    `| ${shows} | ${WIDTHS.map((width) => `[${width}](${name}-${width}.webp)`).join(' | ')} |`
  return [
    '# Screenshots',
    '',
    'Every page and its important states, on a phone, a laptop and a television. `pnpm screenshots` takes them anew, `pnpm screenshots guide home` those two. YouTube’s pictures are not ours to publish: drawn ones stand in their place.',
    '',
    `| page | ${WIDTHS.map((width) => `${width} px`).join(' | ')} |`,
    `|---|${WIDTHS.map(() => '---|').join('')}`,
    ...scenes.map(row),
    '',
  ].join('\n')
}
