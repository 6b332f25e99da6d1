import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
import { EMBED_MANIFEST } from './views.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Hidden, because the gateway serves the page at another address. */
const EMBED_PAGE = '.vite/embed.html'

/**
 * Adds the page of the embeds and its files. They are a build of their own: as a second page of the app's build they would
 * share chunks with the app, so that both load code of the other, and more files.
 */
export function embedPages(): Plugin {
  return {
    name: 'embed-pages',
    apply: 'build',
    buildStart: async function () {
      const results = await build({
        configFile: false,
        root: ROOT,
        logLevel: 'warn',
        publicDir: false,
        build: {
          write: false,
          target: 'es2022',
          manifest: EMBED_MANIFEST,
          modulePreload: { polyfill: false },
          rolldownOptions: { input: `${ROOT}embed.html` },
        },
      })
      for (const result of [results].flat()) {
        if (!('output' in result)) throw new Error('The embeds were not built')
        for (const file of result.output) {
          const fileName = file.fileName === 'embed.html' ? EMBED_PAGE : file.fileName
          this.emitFile({ type: 'asset', fileName, source: file.type === 'chunk' ? file.code : file.source })
        }
      }
    },
  }
}
