/**
 * Decides where a mailed link may redirect: to the site itself or to a URL of the allow list. Parsed URLs are compared,
 * not strings, so that `https://site.example.evil.test` and `https://site.example@evil.test` do not match.
 */
export class RedirectPolicy {
  readonly #site: URL
  readonly #allowed: readonly URL[]

  constructor(siteUrl: string, allowList: readonly string[]) {
    this.#site = new URL(siteUrl)
    this.#allowed = allowList.filter((entry) => URL.canParse(entry)).map((entry) => new URL(entry))
  }

  /** The URL of the site. */
  get site(): string {
    return this.#site.href
  }

  /** The requested URL in normalised form, or the URL of the site if the request is not allowed. */
  resolve(requested: unknown): URL {
    if (typeof requested !== 'string' || requested.length > 2048 || !URL.canParse(requested)) {
      return new URL(this.#site)
    }
    const url = new URL(requested)
    if (url.username !== '' || url.password !== '') return new URL(this.#site)
    const allowed =
      sameOrigin(url, this.#site) ||
      this.#allowed.some((entry) => sameOrigin(url, entry) && isUnder(url.pathname, entry.pathname))
    return allowed ? url : new URL(this.#site)
  }
}

// `URL.origin` is "null" for the schemes of native apps, so protocol and host are compared.
const sameOrigin = (a: URL, b: URL): boolean => a.protocol === b.protocol && a.host === b.host

/** `/app` covers `/app` and `/app/x`, not `/apple`. */
function isUnder(path: string, base: string): boolean {
  if (path === base) return true
  return path.startsWith(base.endsWith('/') ? base : `${base}/`)
}
