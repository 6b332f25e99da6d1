import type { Plugin } from 'vite'
import { separatePage } from './separate-page.ts'
import { EMBED_MANIFEST } from './views.ts'

/** Builds the page of the embeds. */
export const embedPages = (): Plugin =>
  separatePage({ page: 'embed.html', manifest: EMBED_MANIFEST, config: { build: { target: 'es2022' } } })
