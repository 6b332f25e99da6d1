import { CHAT_MESSAGE_MAX } from '@looptide/contracts/http/chat'
import { plainForm } from '@looptide/service-kit/text/look-alike'
import { linkifyit } from 'linkify-it'

/** Recognises addresses with a scheme, and without one those of well-known top-level domains and of countries. */
const linkify = linkifyit({ fuzzyLink: true, fuzzyEmail: false, maxLength: CHAT_MESSAGE_MAX })
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** Whether a message has an address of the web, also one in look-alike letters or with invisible characters. */
export function hasLink(message: string): boolean {
  const visible = message.replace(INVISIBLE, '')
  return linkify.test(visible) || linkify.test(plainForm(visible).plain)
}
