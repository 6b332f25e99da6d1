import { asciiDigits, withoutFormat } from '@looptide/contracts/typed-text'
import type { FieldProblem } from '../../ui/use-form.ts'

/** A problem of a field; with a title it is also shown as a toast. */
export type Problem = FieldProblem & { title?: string }

export const PASSWORD_MIN = 8
const PASSWORD_MAX = 128

const hasText = (text: string): boolean => text.trim() !== ''

/** The syntax of an address; only an email shows whether it exists. The service drops what nobody sees in it, too. */
const looksLikeEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(withoutFormat(text).trim())

/** Quick Sign In and every other form that asks for nothing but an address. */
export function emailProblem(form: { email: string }): Problem | undefined {
  if (!hasText(form.email)) return { field: 'email', description: 'Please enter your email address' }
  if (!looksLikeEmail(form.email))
    return { field: 'email', description: 'Please enter a valid email address' }
  return undefined
}

/** Sign In: email and password are required (docs/product/viewer.md §5). */
export function signInProblem(form: { email: string; password: string }): Problem | undefined {
  const problem = emailProblem(form)
  if (problem) return problem
  if (form.password === '') return { field: 'password', description: 'Please enter your password' }
  return undefined
}

/** Sign Up: everything is required and the passwords must match; lengths as the auth service checks them. */
export function signUpProblem(form: {
  fullName: string
  email: string
  password: string
  confirmation: string
}): Problem | undefined {
  if (!hasText(form.fullName)) return { field: 'fullName', description: 'Please enter your full name' }
  return signInProblem(form) ?? newPasswordProblem(form)
}

/** A new password, typed twice. */
export function newPasswordProblem(form: { password: string; confirmation: string }): Problem | undefined {
  const length = [...form.password].length
  if (form.password !== form.confirmation) {
    return { field: 'confirmation', title: 'Password Mismatch', description: 'Passwords do not match' }
  }
  if (length < PASSWORD_MIN || length > PASSWORD_MAX) {
    return {
      field: 'password',
      description: `Use ${PASSWORD_MIN} to ${PASSWORD_MAX} characters`,
    }
  }
  return undefined
}

/** The 6-digit code in a typed text, in digits of any script, ignoring other characters; undefined without exactly six digits. */
export function codeOf(text: string): string | undefined {
  const digits = asciiDigits(text).replace(/\D/g, '')
  return digits.length === 6 ? digits : undefined
}

/** What is wrong with the name of a passkey, the field `name`. */
export const nameProblem = (name: string): FieldProblem | undefined =>
  name.trim() === '' ? { field: 'name', description: 'Please enter a name' } : undefined
