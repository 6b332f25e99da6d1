import type { CustomFetch } from 'openid-client'

/** More than the answers of providers need: key sets and claims have a few kilobytes. */
const MAX_BYTES = 262_144

/** `fetch` for providers: it follows no redirects and refuses long answers. Throws a TypeError for these. */
export const fetchBounded: CustomFetch = async (url, options) => {
  const response = await fetch(url, { ...options, redirect: 'manual' } as RequestInit)
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_BYTES) throw new TypeError('the answer is too long')
    chunks.push(chunk)
  }
  const body = bytes === 0 ? null : Buffer.concat(chunks)
  return new Response(body, { status: response.status, headers: response.headers })
}
