import { TextField, type TextFieldProps } from './field.tsx'

/** An address, as password managers and on-screen keyboards know one. */
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
