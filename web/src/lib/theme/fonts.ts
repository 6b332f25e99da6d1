import type { ThemeBody } from '@looptide/contracts/http/themes'
import type { FontFile } from './font-file.ts'

const known = new Set<string>()

/**
 * Adds a font to the page; the browser fetches a file when text uses it. `blocks`: text stays hidden briefly until
 * the font is loaded, for a font that is probably cached.
 */
export function declareFont(family: string, files: readonly FontFile[], blocks = false): void {
  for (const { url, weight } of files) {
    if (known.has(url)) continue
    known.add(url)
    const source = `url(${JSON.stringify(url)}) format("woff2")`
    document.fonts.add(new FontFace(family, source, { weight, display: blocks ? 'block' : 'swap' }))
  }
}

/** The files of a font; none for Inter, which the style sheet declares. */
export async function fontFilesOf(family: ThemeBody['fontFamily']): Promise<readonly FontFile[]> {
  if (family === 'Inter') return []
  const { FONT_FILES } = await import('./font-files.ts')
  return FONT_FILES[family]
}
