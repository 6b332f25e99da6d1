import type { Plugin } from 'vite'

/** The branch of `Link` that renders preloads for apps of the router's framework. */
const PREFETCH = /return shouldPrefetch && !isAbsolute \? .* : link;$/m

/**
 * Uses the production build of React Router. The exports of its package name only the development build, which has
 * warnings for developers. What this app does not use is marked so that it is not in the bundle: forms, and preloads and
 * names of components, which are made while the module is evaluated. Fails if the library no longer has this form.
 */
export function productionRouter(): Plugin {
  return {
    name: 'production-router',
    apply: 'build',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^react-router(\/dom)?$/ },
      handler: async function (source, importer) {
        const found = await this.resolve(source, importer, { skipSelf: true })
        return found && { ...found, id: found.id.replace('/dist/development/', '/dist/production/') }
      },
    },
    transform: {
      filter: { id: /\/react-router\/dist\/production\/chunk-/, code: 'function LinkWithRef' },
      handler: (code) => {
        if (!PREFETCH.test(code))
          throw new Error('react-router: the preloads of Link were not found; update production-router.ts')
        return {
          code: code
            .replace(PREFETCH, 'return link;')
            .replaceAll(/^\w+\.displayName = .*$/gm, '')
            .replaceAll(
              /^(var \w+ = )(React\d*\.(?:createContext|forwardRef|memo)\()/gm,
              '$1/* @__PURE__ */ $2',
            ),
          map: null,
        }
      },
    },
  }
}
