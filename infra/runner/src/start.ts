import { bundledRunner } from './bundle/bundle-services.ts'

// `npm start`: becomes the bundled runner if there is one, else runs from the sources, as at the first start.
const bundled = process.env.LOOPTIDE_BUNDLE === 'off' ? undefined : bundledRunner()
if (bundled !== undefined)
  process.execve?.(process.execPath, [process.execPath, ...process.execArgv, bundled], process.env)
await import('./run.ts')
