import type { Plugin } from 'vite'

const CALL = /^__insertCSS\(".*"\);?$/m

/**
 * Sonner puts its styles into the page when it is loaded, which our content security policy does not let anybody do.
 * It ships them as a file too: that one is taken instead. Fails when Sonner no longer does it this way.
 */
export function sonnerStyles(): Plugin {
  return {
    name: 'sonner-styles',
    transform(code, id) {
      if (!/\/sonner\/dist\/index\.mjs/.test(id)) return null
      if (!CALL.test(code)) throw new Error('Sonner no longer inserts its styles as it did.')
      return { code: `import 'sonner/dist/styles.css';\n${code.replace(CALL, '')}`, map: null }
    },
  }
}
