import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'

const NAME = 'start.js'

/**
 * Adds the start script to the page: a small classic script without imports, which runs before the app is loaded. As a
 * second entry of the app's build it would import chunks that it shares with the app, and wait for them.
 */
export function startScript(source: string): Plugin {
  return {
    name: 'start-script',
    apply: 'build',
    buildStart: async function () {
      const results = await build({
        configFile: false,
        logLevel: 'warn',
        publicDir: false,
        build: {
          write: false,
          target: 'es2022',
          rolldownOptions: {
            input: fileURLToPath(new URL(`../${source}`, import.meta.url)),
            output: { format: 'iife' },
          },
        },
      })
      const [result] = [results].flat()
      const chunk = result && 'output' in result ? result.output[0] : undefined
      if (!chunk) throw new Error(`${source} was not built`)
      this.emitFile({ type: 'asset', name: NAME, source: chunk.code })
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) => {
        const file = Object.values(bundle).find((each) => each.type === 'asset' && each.names.includes(NAME))
        if (!file) throw new Error(`${NAME} is missing in the bundle`)
        return [{ tag: 'script', attrs: { async: true, src: `/${file.fileName}` }, injectTo: 'head-prepend' }]
      },
    },
  }
}
