import { ProfilePage, useProfileUser } from '../../../features/profile/profile-frame.tsx'
import { SettingsSection } from '../../../features/profile/settings-section.tsx'
import { DeliverySection } from '../../../features/reminders/delivery-section.tsx'
import { PushSection } from '../../../features/reminders/push-section.tsx'
import { RemindersSection } from '../../../features/reminders/reminders-section.tsx'

/** The user's reminders, and how they are sent. */
export function OwnRemindersPage() {
  const { email } = useProfileUser()
  return (
    <ProfilePage title="Reminders" text="What you want to be reminded of, and how.">
      <RemindersSection />
      <SettingsSection
        title="Notifications"
        text="Devices that show reminders although no page of this station is open."
      >
        <PushSection />
      </SettingsSection>
      <SettingsSection title="Delivery" text={deliveryText(email !== null)}>
        <DeliverySection hasMail={email !== null} />
      </SettingsSection>
    </ProfilePage>
  )
}

const deliveryText = (hasMail: boolean): string =>
  hasMail
    ? 'Without notifications, reminders are emailed, and open pages show them.'
    : 'Without notifications, only open pages show reminders.'
