import { fileURLToPath } from 'node:url'
import { build, type Plugin, type UserConfig } from 'vite'
import { cssFaults, scriptFaults } from './old-browsers.ts'

/** The oldest browser of the page: Chromium 87, of LG televisions of 2022 (webOS 22). */
const CHROMIUM = 87

/** Hidden, because the gateway serves the page at another address. */
const PAGE = '.vite/tv.html'
/** The manifest of the page's files, beside that of the app. */
export const TV_MANIFEST = '.vite/tv-manifest.json'

/**
 * Builds `tv.html`, the page for televisions, for older browsers than the app. It is a build of its own: its code is
 * transpiled and has polyfills, and as a second entry of the app's build it would share chunks with it, which would
 * change both. Fails if the result uses what these browsers lack.
 */
export function tvPage(config: Pick<UserConfig, 'plugins'> & { treeshake: object }): Plugin {
  return {
    name: 'tv-page',
    apply: 'build',
    buildStart: async function () {
      const results = await build({
        configFile: false,
        logLevel: 'warn',
        publicDir: false,
        root: fileURLToPath(new URL('..', import.meta.url)),
        ...(config.plugins && { plugins: config.plugins }),
        css: { transformer: 'lightningcss', lightningcss: { targets: { chrome: CHROMIUM << 16 } } },
        build: {
          write: false,
          // The check below parses exactly this.
          target: ['es2020', `chrome${CHROMIUM}`],
          cssTarget: `chrome${CHROMIUM}`,
          manifest: TV_MANIFEST,
          modulePreload: { polyfill: false },
          rolldownOptions: {
            input: fileURLToPath(new URL('../tv.html', import.meta.url)),
            output: {
              entryFileNames: 'assets/tv-[hash].js',
              chunkFileNames: 'assets/tv-[name]-[hash].js',
              assetFileNames: 'assets/tv-[hash][extname]',
            },
            treeshake: config.treeshake,
          },
        },
      })
      const [result] = [results].flat()
      if (!result || !('output' in result)) throw new Error('tv.html was not built')
      const faults: string[] = []
      for (const file of result.output) {
        const source = file.type === 'chunk' ? file.code : file.source
        if (file.fileName.endsWith('.js')) faults.push(...scriptFaults(file.fileName, String(source)))
        if (file.fileName.endsWith('.css')) faults.push(...cssFaults(file.fileName, String(source)))
        this.emitFile({ type: 'asset', fileName: file.fileName === 'tv.html' ? PAGE : file.fileName, source })
      }
      if (faults.length > 0) {
        throw new Error(`The TV page uses what Chromium ${CHROMIUM} lacks:\n${faults.join('\n')}`)
      }
    },
  }
}
