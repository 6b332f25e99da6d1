import { buildWeb } from '../runner/src/build-web.ts'

/** The web app as `npm start` would build it; the stations of the tests that follow find it built. */
await buildWeb(AbortSignal.timeout(300_000), console.log)
