import { type Readable, Transform } from 'node:stream'
import { AppError } from '@looptide/service-kit/errors'

export const tooLarge = (): AppError => new AppError('payload_too_large', 'The request is too large.')

/** A body on its way through that fails with `payload_too_large` once it is longer than `mostBytes`. */
export function limitedBody(body: Readable, mostBytes: number): Readable {
  let bytes = 0
  const limited = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > mostBytes) done(tooLarge())
      else done(null, chunk)
    },
  })
  // Whoever asked may be gone before anybody listens here, or after: that must not end the process.
  limited.on('error', () => undefined)
  body.once('error', (error) => limited.destroy(error))
  return body.pipe(limited)
}
