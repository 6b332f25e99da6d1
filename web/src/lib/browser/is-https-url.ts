import { withoutFormat } from '@looptide/contracts/typed-text'

/** Whether a text is a URL with the scheme https. */
export function isHttpsUrl(typed: string): boolean {
  const text = withoutFormat(typed).trim()
  return text.startsWith('https://') && URL.canParse(text)
}
