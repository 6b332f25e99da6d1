import { Link } from 'react-router-dom'
import { classNames } from '../../ui/class-names.ts'
import { paths } from '../paths.ts'

/** Shows an anonymous user what an account is needed for, with a link to where it is created. */
export function CreateAccountTo({ purpose, className }: { purpose: string; className?: string }) {
  return (
    <p className={classNames('text-sm text-muted', className)}>
      <Link
        to={paths.createAccount()}
        className="rounded-sm font-semibold text-link underline underline-offset-4"
      >
        Create an account
      </Link>{' '}
      to {purpose}.
    </p>
  )
}
