import type { Plugin } from 'vite'
import { separatePage } from './separate-page.ts'
import { CAST_MANIFEST, EMBED_MANIFEST } from './views.ts'

/** Builds the page of the embeds. */
export const embedPages = (): Plugin =>
  separatePage({ page: 'embed.html', manifest: EMBED_MANIFEST, config: { build: { target: 'es2022' } } })

/** Builds the page for Google Cast devices, whose Chromium may be some years old. */
export const castPage = (): Plugin =>
  separatePage({ page: 'cast.html', manifest: CAST_MANIFEST, config: { build: { target: 'es2020' } } })
