/** A console of a district becomes one of its school, as the people at it see that; the station is a real one. */
import { SignJWT } from 'jose'
import { toQueue } from '../../main/outbox/index.ts'
import { systemClock } from '../../main/platform/clock.ts'
import { systemRandomness } from '../../main/platform/randomness.ts'
import { axeFindings } from '../support/axe.ts'
import { expect, test as atDistrict } from '../support/district.ts'
import { crisisWords } from '../support/intake-school.ts'
import { silentLogger } from '../support/logger.ts'
import { detail, inbox, pressOnAlert } from '../support/screens.ts'
import { test as atDemonstration } from '../support/shared-demo.ts'
import { testSchool, testSecret } from '../support/sign-in.ts'
import { chatAt, stationHouse } from '../support/station.ts'

atDistrict(
  'words open once an admin has approved the console by the fingerprint on its screen',
  { tag: '@long' },
  async ({ page, district: { queue, console } }) => {
    const house = await stationHouse()
    try {
      await page.goto(console.address)
      await expect(page.getByRole('navigation')).toBeVisible()
      const station = await house.start({
        schoolId: testSchool,
        sqs: queue.sqs,
        acksQueueUrl: queue.acksQueueUrl,
        publish: toQueue(queue.sqs, queue.eventsQueueUrl),
        ports: { clock: systemClock, randomness: systemRandomness, logger: silentLogger },
      })
      const { session_id } = await chatAt(station).startSession({ user_id: 'student-1' })
      const words = { sender: 'user', content: `Those words: ${crisisWords}`, client_message_id: 'one' } as const
      await chatAt(station).send(session_id, words)

      await inbox(page).getByRole('link').first().click()
      await pressOnAlert(page, 'e')
      await page.getByRole('dialog').getByRole('button', { name: 'Reveal evidence' }).click()
      await expect(detail(page)).toContainText('this console has not been approved to open them yet')

      // What is done here meanwhile comes back unvouched, and whoever did it is told wherever they look.
      await page.keyboard.press('Escape')
      await pressOnAlert(page, 'a')
      await expect(detail(page)).toContainText('Counts on this console alone; the ladder goes on')
      const said = page.getByRole('complementary', { name: 'What became of what you did' })
      await expect(said).toContainText('counts on this console alone, because this console is not approved')
      await expect(page.getByRole('banner')).toContainText('This console is not approved', { timeout: 60_000 })

      await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click()
      const enrolment = page.getByRole('region', { name: 'This console at your school' })
      await expect(enrolment).toContainText('Waiting for approval')
      expect(await axeFindings(page)).toEqual([])
      const fingerprint = /[0-9A-Z]{4}(-[0-9A-Z]{4}){4}/.exec(await enrolment.innerText())?.[0]
      const token = await new SignJWT({ role: 'ADMIN', school_id: testSchool })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject('admin-1')
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(new TextEncoder().encode(testSecret))
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const listed = (await (await fetch(new URL('/consoles', station.url), { headers })).json()) as {
        consoles: { console_id: string; fingerprint: string }[]
      }
      expect(listed.consoles.map((each) => each.fingerprint)).toEqual([fingerprint])
      const path = `/consoles/${listed.consoles[0]?.console_id}/approve`
      await fetch(new URL(path, station.url), { method: 'POST', headers, body: JSON.stringify({ fingerprint }) })
      await expect(enrolment).toContainText('Approved')

      await page.getByRole('navigation').getByRole('link', { name: 'Alerts' }).click()
      await inbox(page).getByRole('link').first().click()
      await pressOnAlert(page, 'e')
      await page.getByRole('dialog').getByRole('button', { name: 'Reveal evidence' }).click()
      await expect(detail(page)).toContainText('Those words:')
    } finally {
      await house.close()
    }
  },
)

atDemonstration('a desk has approved its own console by itself', async ({ desk: page }) => {
  await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click()
  await page.getByText('About this console').click()
  const enrolment = page.getByRole('region', { name: 'This console at your school' })
  await expect(enrolment).toContainText('Approved')
})
