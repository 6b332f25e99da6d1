import { buildWeb } from '../runner/src/build/build-web.ts'

/** Builds the web app as `npm start` does, so that the tests that follow find it. */
await buildWeb(AbortSignal.timeout(300_000), console.log)
