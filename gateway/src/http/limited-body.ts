import { type Readable, Transform } from 'node:stream'
import { AppError } from '@looptide/service-kit/http/errors'

export const tooLarge = (): AppError => new AppError('payload_too_large', 'The request is too large.')

/** Passes a request body through. Fails with `payload_too_large` once it is longer than `maxBytes`. */
export function limitedBody(body: Readable, maxBytes: number): Readable {
  let bytes = 0
  const limited = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > maxBytes) done(tooLarge())
      else done(null, chunk)
    },
  })
  // Without a listener, an error of a client that disconnects would end the process.
  limited.on('error', () => undefined)
  body.once('error', (error) => limited.destroy(error))
  return body.pipe(limited)
}
