/** Mistakes with a school's directory: who changes it, whose work is lost, and what the consoles are told. */
import type { Mutation } from '../../support/mutated-copy.ts'

const admitting = 'main/station/administration/admitting.ts'
const policies = 'main/station/policy/policies.ts'
const routes = 'main/station/policy/policy-routes.ts'
const stored = 'main/store/station/policies.ts'
const enrolment = 'main/station/enrolment/enrolment.ts'
const station = 'main/station/compose.ts'
const admission = ['test/main/station/administration/admitting.test.ts']
const keeping = ['test/main/station/policy/policies.test.ts']
const calling = ['test/main/station/policy/policy-routes.test.ts']

export const mutations: Mutation[] = [
  {
    says: 'a person of any role is admitted',
    file: admitting,
    find: 'who.roles.includes(caller.role)',
    replace: 'who.roles.length > 0',
    tests: admission,
  },
  {
    says: 'the operator is admitted where people alone are meant',
    file: admitting,
    find: `caller.role === 'operator' ? who.operator :`,
    replace: `caller.role === 'operator' ? true :`,
    tests: admission,
  },
  {
    says: 'tokens may be tried at full speed',
    file: admitting,
    find: 'if (wait > 0) {',
    replace: 'if (wait > 1e9) {',
    tests: admission,
  },
  {
    says: 'whoever has a good token waits for whoever has none',
    file: admitting,
    find: '      if (admitted) {',
    replace: '      if (admitted && attempts(request.ip) === 0) {',
    tests: admission,
  },
  {
    says: 'a change overwrites what somebody else has saved meanwhile',
    file: policies,
    find: 'if ((kept?.version ?? 0) !== version) return',
    replace: 'if ((kept?.version ?? 0) < version) return',
    tests: keeping,
  },
  {
    says: 'of two who save at once both are told that theirs is kept',
    file: policies,
    find: 'if (!(await insertPolicy(unit, stored))) return',
    replace: 'if (!(await insertPolicy(unit, stored)) && version < 0) return',
    tests: keeping,
  },
  {
    says: 'a change is kept and no console hears of it',
    file: policies,
    find: 'await enqueue(unit, [changeOf(stored, clock.now())])',
    replace: 'void [changeOf(stored, clock.now())]',
    tests: keeping,
  },
  {
    says: 'a directory with gaps is kept',
    file: policies,
    find: '  if (gaps.length > 0) return { gaps }\n  const stored',
    replace: '  if (gaps.length > 99) return { gaps }\n  const stored',
    tests: keeping,
  },
  {
    says: 'a directory that no queue takes is kept',
    file: policies,
    find: '> largestEvent) return',
    replace: '> largestEvent * 9) return',
    tests: keeping,
  },
  {
    says: 'people whom nobody knows look after students',
    file: policies,
    find: 'if (unknown.length > 0) throw',
    replace: 'if (unknown.length > 99) throw',
    tests: keeping,
  },
  {
    says: 'the same change is told anew as another event',
    file: policies,
    find: 'timestamp: new Date(changed_at).toISOString()',
    replace: 'timestamp: new Date(now).toISOString()',
    tests: keeping,
  },
  {
    says: 'the policy of a school is its oldest version',
    file: stored,
    find: `.orderBy('version', 'desc')`,
    replace: `.orderBy('version', 'asc')`,
    tests: keeping,
  },
  {
    says: 'a school reads whatever directory there is on the file',
    file: stored,
    find: `    .selectAll()\n    .where('school_id', '=', schoolId)\n    .orderBy('version', 'desc')`,
    replace: `    .selectAll()\n    .where('school_id', '<>', schoolId.slice(99) + ' ')\n    .orderBy('version', 'desc')`,
    tests: keeping,
  },
  {
    says: 'whoever names no version overwrites the newest',
    file: routes,
    find: `/^"(\\d{1,15})"$/.exec(String(request.headers['if-match']).trim())?.[1]`,
    replace: `/\\d{1,15}|$/.exec(String(request.headers['if-match']).trim())?.[0]`,
    tests: calling,
  },
  {
    says: 'a counselor changes the directory',
    file: routes,
    find: `const admins = admit({ roles: ['ADMIN'],`,
    replace: `const admins = admit({ roles: ['ADMIN', 'COUNSELOR'],`,
    tests: calling,
  },
  {
    says: 'a school that nobody serves gets secrets from whoever names it',
    file: station,
    find: 'return isServed ? own.secrets.of(schoolId) : null',
    replace: 'return isServed || schoolId !== own.id ? own.secrets.of(schoolId) : null',
    tests: calling,
  },
  {
    says: 'a new console never learns the directory',
    file: enrolment,
    find: 'policy ? [sealed.publish, policy] : [sealed.publish]',
    replace: 'policy ? [sealed.publish] : [sealed.publish]',
    tests: calling,
  },
  {
    says: 'a start tells nobody of the directory',
    file: station,
    find: '    await policies.publishAgain()\n',
    replace: '',
    tests: calling,
  },
]
