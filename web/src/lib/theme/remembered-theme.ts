import type { ThemeBody } from '@looptide/contracts/http/themes'
import { type StationPictures, setStationPictures } from '../station-pictures.ts'
import type { FontFile } from './font-file.ts'
import { declareFont, fontFilesOf } from './fonts.ts'
import { themeVariables } from './theme-variables.ts'

const KEY = 'looptide-theme'

/** What the first paint of a page needs. */
type Look = StationPictures & {
  variables: Record<string, string>
  font: { family: string; files: readonly FontFile[] }
}

/** Sets these `--theme-*` variables on the root. */
function draw({ variables, logoUrl, heroBackgroundUrl }: Omit<Look, 'font'>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (name.startsWith('--theme-')) document.documentElement.style.setProperty(name, value)
  }
  setStationPictures({ logoUrl, heroBackgroundUrl })
}

/** Applies a theme to the page. */
export function drawTheme(theme: ThemeBody): void {
  draw({ variables: themeVariables(theme), ...picturesOf(theme) })
  void fontFilesOf(theme.fontFamily).then((files) => declareFont(theme.fontFamily, files))
}

/** Stores a theme, with its font, for the first paint of the next page load. */
export async function rememberTheme(theme: ThemeBody): Promise<void> {
  const font = { family: theme.fontFamily, files: await fontFilesOf(theme.fontFamily) }
  try {
    const look: Look = { variables: themeVariables(theme), font, ...picturesOf(theme) }
    localStorage.setItem(KEY, JSON.stringify(look))
  } catch {
    // Without storage the next load begins in the default theme.
  }
}

/** Applies the last theme before the current one is fetched. */
export function showRememberedTheme(): void {
  try {
    const look = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Look>
    if (!look.variables) return
    if (look.font) declareFont(look.font.family, look.font.files, true)
    draw({
      variables: look.variables,
      logoUrl: look.logoUrl ?? null,
      heroBackgroundUrl: look.heroBackgroundUrl ?? null,
    })
  } catch {
    // Nothing remembered, or nothing readable: the default theme it is.
  }
}

const picturesOf = ({ logoUrl, heroBackgroundUrl }: ThemeBody): StationPictures => ({
  logoUrl,
  heroBackgroundUrl,
})
