import { coverageNow } from '../../../shared/escalation/index.ts'
import { crisisResourcesSchema, type CrisisResources } from '../../../shared/set-up.ts'
import { may } from '../../../shared/permissions.ts'
import type { SetUpChecklist } from '../../../shared/views.ts'
import { appendAudit, keystoreExists, keystoreProvider, newestImport, writeSetting } from '../../store/console/index.ts'
import { crisisResources, crisisResourcesSetting, isReviewed } from '../identity/index.ts'
import { callFor, deskOnly, router } from './trpc.ts'

const manage = callFor('desk.manage')

/** What a desk's admin still has to do, and what the chat shows a student in a crisis. */
export const deskRouter = router({
  checklist: manage.query(async ({ ctx }): Promise<SetUpChecklist> => {
    const { db, station, accounts, configuration, directory, strip, clock } = ctx.parts
    if (configuration.mode !== 'desk') throw deskOnly()
    const policy = directory.view(ctx.person).kept?.policy
    const ways = strip.now().channels
    const told = policy && coverageNow(policy, clock.now(), { version: 0, assigned: 'various', ways }).rungs
    // One-time passwords count: what is left to do is then another's.
    const people = accounts?.list(ctx.person.school_id).filter(({ ended_at }) => ended_at === null) ?? []
    const keys = (await station?.keys.list()) ?? []
    const { passphrase, dataDir } = configuration
    const opensItself = passphrase !== null || (keystoreExists(dataDir) && keystoreProvider(dataDir) === 'safe-storage')
    return {
      asks_passphrase: !opensItself,
      steps: [
        { step: 'school', done: true },
        { step: 'roster', done: newestImport(db) !== null },
        { step: 'chat', done: keys.some(({ revoked_at }) => revoked_at === null) },
        { step: 'resources', done: isReviewed(db) },
        { step: 'people', done: people.some(({ role }) => may(role, 'evidence.reveal')) },
        // Where somebody is told of a crisis whom nobody has taken yet.
        { step: 'ladder', done: told !== undefined && told.length > 0 },
      ],
    }
  }),
  resources: manage.query(async ({ ctx }): Promise<CrisisResources> => {
    const { db, assessment, configuration, directory } = ctx.parts
    if (configuration.mode !== 'desk') throw deskOnly()
    const { engine } = await assessment()
    const resources = crisisResources(db, engine.protocolReply)
    if (isReviewed(db)) return resources
    // Until the school has looked at them here, those of its directory stand: nothing is lost by looking.
    return { ...resources, numbers: directory.view(ctx.person).kept?.policy.crisis_numbers ?? [] }
  }),
  setResources: manage.input(crisisResourcesSchema).mutation(({ ctx, input }) => {
    const { db, changes, clock, consoleId, configuration } = ctx.parts
    if (configuration.mode !== 'desk') throw deskOnly()
    changes.commit((altered) => {
      writeSetting(db, crisisResourcesSetting, JSON.stringify(input))
      appendAudit(db, {
        at: clock.now(),
        who: ctx.person.id,
        role: ctx.person.role,
        what: 'crisis_resources.changed',
        subject: `school ${ctx.person.school_id}`,
        why: '',
        console_id: consoleId,
      })
      // The directory lists the same numbers.
      altered.add({ school_changed: true })
    })
  }),
})
