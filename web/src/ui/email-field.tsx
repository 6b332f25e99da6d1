import { TextField, type TextFieldProps } from './field.tsx'

/** A field for an email address, with the attributes for password managers and on-screen keyboards. */
export function EmailField(props: Omit<TextFieldProps, 'label'> & { label?: string }) {
  return (
    <TextField
      label="Email"
      type="email"
      inputMode="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={255}
      required
      {...props}
    />
  )
}
