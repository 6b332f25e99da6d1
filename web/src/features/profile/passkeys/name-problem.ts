import type { FieldProblem } from '../../../ui/use-form.ts'

/** What is wrong with the name of a passkey, the field `name`. */
export const nameProblem = (name: string): FieldProblem | undefined =>
  name.trim() === '' ? { field: 'name', description: 'Please enter a name' } : undefined
