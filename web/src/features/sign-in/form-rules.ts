/** A form that may not be sent: as a toast, in the specification's words where it has them. */
export type Problem = { title: string; description: string }

export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 128

const MISSING = 'Missing information'
const hasText = (text: string): boolean => text.trim() !== ''

/** A plausible address; whether it exists only a mail can tell. */
const looksLikeEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text.trim())

/** Sign In: email and password are required (viewer specification §5). */
export function signInProblem(form: { email: string; password: string }): Problem | undefined {
  if (!hasText(form.email)) return { title: MISSING, description: 'Please enter your email address' }
  if (!looksLikeEmail(form.email))
    return { title: MISSING, description: 'Please enter a valid email address' }
  if (form.password === '') return { title: MISSING, description: 'Please enter your password' }
  return undefined
}

/** Quick Sign In: email is required, the full name is not. */
export function quickSignInProblem(form: { email: string }): Problem | undefined {
  if (!hasText(form.email)) return { title: MISSING, description: 'Please enter your email address' }
  if (!looksLikeEmail(form.email))
    return { title: MISSING, description: 'Please enter a valid email address' }
  return undefined
}

/** Sign Up: everything is required and the passwords must match; lengths as the auth service checks them. */
export function signUpProblem(form: {
  fullName: string
  email: string
  password: string
  confirmation: string
}): Problem | undefined {
  if (!hasText(form.fullName)) return { title: MISSING, description: 'Please enter your full name' }
  return signInProblem(form) ?? newPasswordProblem(form)
}

/** A new password, typed twice. */
export function newPasswordProblem(form: { password: string; confirmation: string }): Problem | undefined {
  if (form.password !== form.confirmation) {
    return { title: 'Password Mismatch', description: 'Passwords do not match' }
  }
  if (form.password.length < PASSWORD_MIN || form.password.length > PASSWORD_MAX) {
    return {
      title: 'Password',
      description: `A password has ${PASSWORD_MIN} to ${PASSWORD_MAX} characters`,
    }
  }
  return undefined
}

/** The six digits of a mail, whatever was typed around them; undefined when there are not six. */
export function codeOf(text: string): string | undefined {
  const digits = text.replace(/\D/g, '')
  return digits.length === 6 ? digits : undefined
}
