/** Prefix of every secret in docker-compose.yml, .env.example and k8s/overlays/local. */
export const DEVELOPMENT_SECRET = 'dev-only-change-me'

/**
 * Whether the site's host is this machine: `localhost`, its subdomains, 127.0.0.0/8 or ::1. Anything else, including a
 * malformed URL, counts as public.
 */
export function isLocalSite(siteUrl: string): boolean {
  if (!URL.canParse(siteUrl)) return false
  // The URL parser normalizes every form of an IPv4 address to four decimal numbers.
  const host = new URL(siteUrl).hostname.replace(/\.$/, '')
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(host)
  )
}
