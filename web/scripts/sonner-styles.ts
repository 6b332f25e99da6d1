import type { Plugin } from 'vite'

const CALL = /^__insertCSS\(".*"\);?$/m

/**
 * Replaces the style element that Sonner inserts at load time with the CSS file it ships, because the content security
 * policy forbids inserted styles. Fails if Sonner no longer inserts its styles in this way.
 */
export function sonnerStyles(): Plugin {
  return {
    name: 'sonner-styles',
    transform(code, id) {
      if (!/\/sonner\/dist\/index\.mjs/.test(id)) return null
      if (!CALL.test(code))
        throw new Error('sonner: the __insertCSS call was not found; update sonner-styles.ts')
      return { code: `import 'sonner/dist/styles.css';\n${code.replace(CALL, '')}`, map: null }
    },
  }
}
