import type { Permission } from '@looptide/contracts/permissions'
import { Content, Item, Label, Root, Separator, Trigger } from '@radix-ui/react-dropdown-menu'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { WaitingCount } from '../features/moderation/waiting-count.tsx'
import { paths } from '../lib/paths.ts'
import { useSession } from '../lib/session/session.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { useBackLayer } from '../ui/back-layers.ts'
import { AccountButton, useOwnName } from './account-button.tsx'
import { useSignOut } from './use-sign-out.tsx'

const itemClass =
  'flex min-h-11 cursor-pointer items-center rounded-sm px-3 text-sm outline-none data-[highlighted]:bg-line data-[highlighted]:outline-2 data-[highlighted]:-outline-offset-2 data-[highlighted]:outline-focus'

interface MenuLink {
  text: string
  path: string
  permission?: Permission
}

/** The menu's links. Admin Dashboard is shown to everyone; the page itself checks the permission (docs/product/viewer.md §2). */
const LINK_GROUPS: readonly (readonly MenuLink[])[] = [
  [{ text: 'My Profile', path: paths.members() }],
  [
    { text: 'Submissions', path: paths.submissions(), permission: 'submissions:review' },
    { text: 'Chat Moderation', path: paths.moderation(), permission: 'chat:moderate' },
    { text: 'Live Takeover', path: paths.takeover(), permission: 'takeovers:run' },
    { text: 'Admin Dashboard', path: paths.admin() },
    { text: 'Control Panel', path: paths.control(), permission: 'dashboard:watch' },
    { text: 'Download for Firestick', path: paths.firestick() },
  ],
]

/**
 * The account menu. Starts open, because pressing its button loads it. It is rendered inside the header, so that it
 * belongs to a landmark.
 */
export function AvatarMenu() {
  const { me, email, isAnonymous, role, may } = useSession()
  const { signOut, confirmation } = useSignOut()
  const [isOpen, setOpen] = useState(true)
  const navigate = useNavigate()
  const name = useOwnName()
  useBackLayer(isOpen, () => setOpen(false))

  return (
    <Root open={isOpen} onOpenChange={setOpen} modal={false}>
      <Trigger asChild>
        <AccountButton />
      </Trigger>
      <Content
        align="end"
        sideOffset={8}
        collisionPadding={8}
        className="z-50 max-h-[calc(100dvh-5rem)] w-68 animate-rise overflow-y-auto rounded-md border border-line bg-raised p-1.5 shadow-lift"
      >
        <Label className="flex items-center gap-3 px-3 py-2.5">
          <Avatar name={name} url={me?.profile.avatarUrl} />
          <span className="min-w-0">
            <span className="block truncate font-semibold">{name}</span>
            {role === 'admin' && (
              <span className="my-0.5 block w-fit rounded-sm bg-accent px-1.5 py-0.5 text-xs font-semibold text-on-accent">
                Administrator
              </span>
            )}
            <span className="block truncate text-sm text-muted">{isAnonymous ? 'No account' : email}</span>
          </span>
        </Label>
        {isAnonymous && (
          <Item className={itemClass} onSelect={() => void navigate(paths.createAccount())}>
            Create Account
          </Item>
        )}
        {LINK_GROUPS.map((links) => (
          <div key={links[0]?.path}>
            <Separator className="my-1 h-px bg-line" />
            {links
              .filter(({ permission }) => permission === undefined || may(permission))
              .map(({ text, path }) => (
                <Item key={path} className={itemClass} onSelect={() => void navigate(path)}>
                  {text}
                  {path === paths.moderation() && <WaitingCount />}
                </Item>
              ))}
          </div>
        ))}
        <Separator className="my-1 h-px bg-line" />
        <Item className={itemClass} onSelect={() => void signOut()}>
          Sign Out
        </Item>
      </Content>
      {confirmation}
    </Root>
  )
}
