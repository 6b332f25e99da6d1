/** Maximum size of a response, in bytes. Key sets and claims have a few kilobytes, ranges of hashes 60. */
const MAX_BYTES = 262_144

/** `fetch` for external systems. Throws a TypeError for redirects and for responses of more than {@link MAX_BYTES}. */
export async function fetchBounded(url: string, options: object): Promise<Response> {
  const response = await fetch(url, { ...options, redirect: 'manual' })
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_BYTES) throw new TypeError('the response is too long')
    chunks.push(chunk)
  }
  const body = bytes === 0 ? null : Buffer.concat(chunks)
  return new Response(body, { status: response.status, headers: response.headers })
}
