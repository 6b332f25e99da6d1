/** What every secret begins with that docker-compose.yml, .env.example and k8s/overlays/local come with. */
export const DEVELOPMENT_SECRET = 'dev-only-change-me'

/**
 * Whether browsers reach the site on this machine only: `localhost`, names under it, 127.0.0.0/8 and ::1. Anything else,
 * an address that cannot be read included, counts as public.
 */
export function isLocalSite(siteUrl: string): boolean {
  if (!URL.canParse(siteUrl)) return false
  // The parser has already written every form of an IPv4 address as four decimal numbers.
  const host = new URL(siteUrl).hostname.replace(/\.$/, '')
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(host)
  )
}
