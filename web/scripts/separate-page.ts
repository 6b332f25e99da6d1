import { fileURLToPath } from 'node:url'
import { build, type InlineConfig, type Plugin } from 'vite'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

interface SeparatePage {
  /** The page beside `index.html`. */
  page: string
  /** The manifest of its files, beside that of the app. */
  manifest: string
  config: InlineConfig
  /** Throws if a file must not be used; called with each. */
  check?: (fileName: string, source: string) => void
}

/**
 * Adds a page and its files to the build of the app, hidden in `.vite`, because the gateway serves it at another address.
 * It is a build of its own: as a second page of the app's build it would share chunks with the app, so that both load code
 * of the other, and more files.
 */
export function separatePage({ page, manifest, config, check }: SeparatePage): Plugin {
  return {
    name: `separate-page-${page}`,
    apply: 'build',
    buildStart: async function () {
      const results = await build({
        configFile: false,
        root: ROOT,
        logLevel: 'warn',
        publicDir: false,
        ...config,
        build: {
          ...config.build,
          write: false,
          manifest,
          modulePreload: { polyfill: false },
          rolldownOptions: { ...config.build?.rolldownOptions, input: ROOT + page },
        },
      })
      for (const result of [results].flat()) {
        if (!('output' in result)) throw new Error(`${page} was not built`)
        for (const file of result.output) {
          const source = file.type === 'chunk' ? file.code : file.source
          check?.(file.fileName, String(source))
          const fileName = file.fileName === page ? `.vite/${page}` : file.fileName
          this.emitFile({ type: 'asset', fileName, source })
        }
      }
    },
  }
}
