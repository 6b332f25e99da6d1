import { describe, expect, it } from 'vitest'
import { newEmail, PASSWORD, SITE } from '../_harness.ts'
import { adminOf } from './admin-client.ts'
import { type AuthServices, member, tab } from './tab.ts'

/** The admin API for invitations and links. */
export function adminLinksSuite(services: AuthServices): void {
  describe('the admin client', () => {
    it('invites by mail, and the invited user chooses a password', async () => {
      const auth = services.confirming
      const admin = adminOf(auth)
      const email = newEmail()
      const invited = await admin.inviteUserByEmail(email, {
        data: { full_name: 'Grace' },
        redirectTo: `${SITE}/videos`,
      })
      expect(invited.data.user).toMatchObject({ email, invited_at: expect.any(String) })
      const mail = await auth.sink.latest(email, 'invite')
      expect(mail.link.searchParams.get('redirect_to')).toBe(`${SITE}/videos`)
      const { client } = tab(auth)
      const accepted = await client.verifyOtp({ type: 'invite', token_hash: mail.tokenHash })
      expect(accepted.data.user).toMatchObject({ email, user_metadata: { full_name: 'Grace' } })
      expect((await client.updateUser({ password: PASSWORD })).error).toBeNull()
      expect((await client.signInWithPassword({ email, password: PASSWORD })).error).toBeNull()
      expect((await admin.inviteUserByEmail(email)).error?.code).toBe('email_exists')
      const again = newEmail()
      await admin.inviteUserByEmail(again)
      expect((await admin.inviteUserByEmail(again)).error).toBeNull()
    })

    it('generates links of every type, and mails none', async () => {
      const auth = services.confirming
      const admin = adminOf(auth)
      const email = newEmail()
      const signUp = await admin.generateLink({
        type: 'signup',
        email,
        password: PASSWORD,
        options: { data: { a: 1 } },
      })
      expect(signUp.error).toBeNull()
      expect(signUp.data.user).toMatchObject({ email })
      const { properties } = signUp.data
      expect(properties).toMatchObject({
        verification_type: 'signup',
        redirect_to: `${SITE}/`,
        email_otp: expect.stringMatching(/^\d{6}$/),
      })
      expect(new URL(properties!.action_link).searchParams.get('token_hash')).toBe(properties!.hashed_token)
      const { client } = tab(auth)
      expect(
        (await client.verifyOtp({ type: 'signup', token_hash: properties!.hashed_token })).error,
      ).toBeNull()
      // The password of the service key counts wherever the link is opened.
      expect((await client.signInWithPassword({ email, password: PASSWORD })).error).toBeNull()

      const magic = await admin.generateLink({ type: 'magiclink', email })
      const byCode = await client.verifyOtp({ type: 'email', email, token: magic.data.properties!.email_otp })
      expect(byCode.error).toBeNull()
      const recovery = await admin.generateLink({ type: 'recovery', email })
      expect(
        (await client.verifyOtp({ type: 'recovery', token_hash: recovery.data.properties!.hashed_token }))
          .error,
      ).toBeNull()

      const next = newEmail()
      const oldSide = await admin.generateLink({ type: 'email_change_current', email, newEmail: next })
      const newSide = await admin.generateLink({ type: 'email_change_new', email, newEmail: next })
      expect(newSide.data.properties!.verification_type).toBe('email_change_new')
      for (const { data } of [oldSide, newSide]) {
        expect(
          (await client.verifyOtp({ type: 'email_change', token_hash: data.properties!.hashed_token })).error,
        ).toBeNull()
      }
      expect((await client.getUser()).data.user?.email).toBe(next)

      const invite = await admin.generateLink({ type: 'invite', email: newEmail() })
      expect(invite.data.user).toMatchObject({ invited_at: expect.any(String) })
      const unknown = await admin.generateLink({ type: 'magiclink', email: newEmail() })
      expect(unknown.data.properties!.verification_type).toBe('signup')
      const nobody = await admin.generateLink({ type: 'recovery', email: newEmail() })
      expect([nobody.error?.code, nobody.error?.status]).toEqual(['user_not_found', 404])
      expect(
        (await admin.generateLink({ type: 'signup', email: next, password: PASSWORD })).error?.code,
      ).toBe('email_exists')
      // Only the notice that the email was changed, which has no link.
      const mails = [email, next].flatMap((address) => auth.sink.to(address))
      expect(mails.filter(({ raw }) => raw.includes('/auth/confirm'))).toEqual([])
    })

    it('a link to one new email does not confirm a later one', async () => {
      const auth = services.open
      const admin = adminOf(auth)
      const { client, email } = await member(auth)
      const [first, second] = [newEmail(), newEmail()]
      const forFirst = await admin.generateLink({ type: 'email_change_new', email, newEmail: first })
      await admin.generateLink({ type: 'email_change_new', email, newEmail: second })
      const stale = await client.verifyOtp({
        type: 'email_change',
        token_hash: forFirst.data.properties!.hashed_token,
      })
      expect(stale.error?.code).toBe('otp_expired')
    })
  })
}
