import { Content, Item, Label, Root, Separator, Trigger } from '@radix-ui/react-dropdown-menu'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useSession } from '../lib/session.tsx'
import { IconButton } from '../ui/button.tsx'
import { paths } from './paths.ts'

const itemClass =
  'flex min-h-11 cursor-pointer items-center rounded-sm px-3 text-sm outline-none data-[highlighted]:bg-line'

/**
 * Who is signed in, and where they may go from here. Opens at once: it is loaded by the wish to open it. It stays
 * inside the header, a landmark, instead of hanging outside all of them.
 */
export function AvatarMenu() {
  const { me, email, isAdmin, signOut } = useSession()
  const [isOpen, setOpen] = useState(true)
  const navigate = useNavigate()
  const handle = me?.profile.handle ?? email?.split('@')[0]

  return (
    <Root open={isOpen} onOpenChange={setOpen} modal={false}>
      <Trigger asChild>
        <IconButton icon="user" label="Account" tone="quiet" className="rounded-full" />
      </Trigger>
      <Content
        align="end"
        sideOffset={8}
        className="z-50 w-64 animate-rise rounded-md border border-line bg-raised p-1.5 shadow-lift"
      >
        <Label className="px-3 py-2">
          <span className="flex items-center gap-2 font-semibold">
            <span className="truncate">{handle}</span>
            {isAdmin && (
              <span className="rounded-sm bg-accent px-1.5 py-0.5 text-xs font-semibold text-on-accent">
                Administrator
              </span>
            )}
          </span>
          <span className="block truncate text-sm text-muted">{email}</span>
        </Label>
        <Separator className="my-1 h-px bg-line" />
        <Item className={itemClass} onSelect={() => navigate(paths.members())}>
          My Profile
        </Item>
        <Item className={itemClass} onSelect={() => navigate(paths.admin())}>
          Admin Dashboard
        </Item>
        <Item className={itemClass} onSelect={() => navigate(paths.firestick())}>
          Download for Firestick
        </Item>
        <Separator className="my-1 h-px bg-line" />
        <Item className={itemClass} onSelect={() => void signOut()}>
          Sign Out
        </Item>
      </Content>
    </Root>
  )
}
