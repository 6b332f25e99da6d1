import { AccountError } from '../../account-error.ts'

/** Valid email address as HTML defines it (WHATWG HTML, "valid email address"). */
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/
const MAX_LENGTH = 255

/** Normalises an email to the form in which emails are stored and compared. Errors: `invalid_input`. */
export function readEmail(text: string): string {
  const email = text.toLowerCase()
  if (email.length > MAX_LENGTH || !EMAIL.test(email)) {
    throw AccountError.invalidInput('Unable to validate email address: invalid format')
  }
  return email
}
