import type { Plugin, UserConfig } from 'vite'
import { cssFaults, scriptFaults } from './old-browsers.ts'
import { separatePage } from './separate-page.ts'
import { TV_MANIFEST } from './views.ts'

/** The oldest browser of the page: Chromium 87, of LG televisions of 2022 (webOS 22). */
const CHROMIUM = 87

/**
 * Builds the page for televisions for older browsers than the app: its code is transpiled and has polyfills. Fails if the
 * result uses what these browsers lack.
 */
export const tvPage = (config: Pick<UserConfig, 'plugins'> & { treeshake: object }): Plugin =>
  separatePage({
    page: 'tv.html',
    manifest: TV_MANIFEST,
    config: {
      ...(config.plugins && { plugins: config.plugins }),
      css: { transformer: 'lightningcss', lightningcss: { targets: { chrome: CHROMIUM << 16 } } },
      build: {
        // The check below parses exactly this.
        target: ['es2020', `chrome${CHROMIUM}`],
        cssTarget: `chrome${CHROMIUM}`,
        rolldownOptions: {
          output: {
            entryFileNames: 'assets/tv-[hash].js',
            chunkFileNames: 'assets/tv-[name]-[hash].js',
            assetFileNames: 'assets/tv-[hash][extname]',
          },
          treeshake: config.treeshake,
        },
      },
    },
    check: (fileName, source) => {
      const faults = fileName.endsWith('.js')
        ? scriptFaults(fileName, source)
        : fileName.endsWith('.css')
          ? cssFaults(fileName, source)
          : []
      if (faults.length > 0)
        throw new Error(`The TV page uses what Chromium ${CHROMIUM} lacks:\n${faults.join('\n')}`)
    },
  })
