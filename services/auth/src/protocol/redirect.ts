/**
 * Where a mailed link may lead: the site itself or an address of the allow list. Parsed URLs are
 * compared, never texts, so that `https://site.example.evil.test` and `https://site.example@evil.test`
 * are what they are: somebody else's.
 */
export class RedirectPolicy {
  readonly #site: URL
  readonly #allowed: readonly URL[]

  constructor(siteUrl: string, allowList: readonly string[]) {
    this.#site = new URL(siteUrl)
    this.#allowed = allowList.filter((entry) => URL.canParse(entry)).map((entry) => new URL(entry))
  }

  /** The site's own address. */
  get site(): string {
    return this.#site.href
  }

  /** The address asked for, as the parser spells it, or the site's when it is not allowed. */
  resolve(asked: unknown): URL {
    if (typeof asked !== 'string' || asked.length > 2048 || !URL.canParse(asked)) return new URL(this.#site)
    const url = new URL(asked)
    if (url.username !== '' || url.password !== '') return new URL(this.#site)
    const allowed =
      sameOrigin(url, this.#site) ||
      this.#allowed.some((entry) => sameOrigin(url, entry) && isUnder(url.pathname, entry.pathname))
    return allowed ? url : new URL(this.#site)
  }
}

// `origin` is "null" for schemes of native apps, so the parts are compared.
const sameOrigin = (a: URL, b: URL): boolean => a.protocol === b.protocol && a.host === b.host

/** `/app` covers `/app` and `/app/x`, not `/apple`. */
function isUnder(path: string, base: string): boolean {
  if (path === base) return true
  return path.startsWith(base.endsWith('/') ? base : `${base}/`)
}
