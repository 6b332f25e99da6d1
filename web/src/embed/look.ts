/** What the page around an embed chooses by the query of its address. */
export interface Look {
  theme: 'dark' | 'light'
  /** A colour as CSS writes it; undefined for the default. */
  accent: string | undefined
  isMuted: boolean
}

const COLOUR = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i

/** Reads the query. Values that are not understood are ignored. */
export function readLook(query: string): Look {
  const parameters = new URLSearchParams(query)
  const digits = COLOUR.exec(parameters.get('accent') ?? '')?.[1]
  const muted = parameters.get('muted')
  return {
    theme: parameters.get('theme') === 'light' ? 'light' : 'dark',
    accent: digits === undefined ? undefined : `#${digits}`,
    isMuted: muted === '' || muted === '1' || muted === 'true',
  }
}

/** Applies theme and accent to the page. */
export function applyLook({ theme, accent }: Look): void {
  const { documentElement } = document
  documentElement.dataset.theme = theme
  if (accent !== undefined) documentElement.style.setProperty('--accent', accent)
}
