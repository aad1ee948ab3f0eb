/** The walls of the house. Each rule says what it keeps out and why. */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A cycle hides which part depends on which.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'renderer-never-imports-main',
      comment: 'The page knows the router by its type only, through shared/api.ts.',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: '^(main|preload)/' },
    },
    {
      name: 'shared-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^shared/', pathNot: '^shared/api\\.ts$' },
      to: { path: '^(main|preload|renderer|test)/' },
    },
    {
      name: 'shared-api-takes-only-the-type',
      severity: 'error',
      from: { path: '^shared/api\\.ts$' },
      to: { path: '^(main|preload|renderer|test)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pure-core',
      comment: 'shared and the risk engine run the same everywhere: no Node, no Electron, no cloud, no database.',
      severity: 'error',
      from: { path: '^(shared|main/analysis)/', pathNot: '^shared/api\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'pure-core-packages',
      severity: 'error',
      from: { path: '^(shared|main/analysis)/' },
      to: {
        path: 'node_modules/(electron|electron-store|@aws-sdk|better-sqlite3|kysely|pg|fastify|fauxqs|ws|pino|conf|onnxruntime-web|@huggingface)(/|$)',
      },
    },
    {
      name: 'analysis-imports-shared-only',
      severity: 'error',
      from: { path: '^main/analysis/' },
      to: { path: '^(main/(?!analysis/)|renderer|preload)' },
    },
    {
      name: 'electron-in-three-places',
      severity: 'error',
      from: {
        path: '^(main|preload|renderer|shared)/',
        pathNot: '^(main/index\\.ts|main/platform/electron/|preload/)',
      },
      to: { path: '(^electron$|node_modules/electron(-store)?/)' },
    },
    {
      name: 'electron-platform-only-from-the-electron-entry',
      severity: 'error',
      from: { path: '^main/', pathNot: '^(main/index\\.ts|main/platform/electron/)' },
      to: { path: '^main/platform/electron/' },
    },
    {
      name: 'product-code-never-imports-tests',
      severity: 'error',
      from: { path: '^(main|preload|renderer|shared)/', pathNot: '^main/commands/(test|bench)\\.ts$' },
      to: { path: '^test/' },
    },
    {
      name: 'console-and-station-never-meet',
      comment:
        'Two programs on one wire: what both need is in shared, analysis, assessment, audit, outbox, platform or store.',
      severity: 'error',
      from: { path: '^main/(console|station)/' },
      to: { path: '^main/(console|station)/', pathNot: '^main/$1/' },
    },
    {
      name: 'each-half-its-own-database',
      severity: 'error',
      from: { path: '^main/(console|station)/' },
      to: { path: '^main/store/(console|station)/', pathNot: '^main/store/$1/' },
    },
    {
      name: 'databases-in-the-store-only',
      severity: 'error',
      from: { path: '^(main|preload|renderer|shared)/', pathNot: '^main/store/' },
      to: { path: 'node_modules/(better-sqlite3|kysely|pg)/' },
    },
    {
      name: 'both-halves-stand-on-these',
      comment: 'What both halves use knows neither of them.',
      severity: 'error',
      from: { path: '^main/(analysis|assessment|audit|outbox|platform|store)/' },
      to: { path: '^main/(console|station|chat|demo|doctor|commands|evaluation|replay)/' },
    },
    {
      name: 'store-knows-each-half-only-in-its-own-room',
      comment: 'The SQL of one half never reads the other half’s; what both share lies above the rooms.',
      severity: 'error',
      from: { path: '^main/store/(console|station)/' },
      to: { path: '^main/store/(console|station)/', pathNot: '^main/store/$1/' },
    },
    {
      name: 'halves-know-no-higher-room',
      comment: 'Chat, commands, doctor, demonstration, evaluation and replay stand on the halves, never under them.',
      severity: 'error',
      from: { path: '^main/(console|station)/' },
      to: { path: '^main/(chat|demo|doctor|commands|evaluation|replay)/' },
    },
    {
      name: 'demonstration-has-no-back-door',
      comment:
        'The demonstration school is a chat and a console like any other: it reaches a desk by its address and its queues.',
      severity: 'error',
      from: { path: '^main/demo/' },
      to: { path: '^main/', pathNot: '^main/(demo|chat|platform)/' },
    },
    {
      name: 'audit-is-pure',
      comment: 'The chain of the audit is computed, from hashes alone: it touches no file, network or process.',
      severity: 'error',
      from: { path: '^main/audit/' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
    },
    {
      name: 'enter-main-folders-by-their-index',
      severity: 'error',
      from: { path: '^main/([^/]+)/' },
      to: {
        path: '^main/([^/]+)/.+',
        pathNot: [
          '^main/$1/',
          '^main/[^/]+/index\\.ts$',
          '^main/(console|station|store)/[^/]+/index\\.ts$',
          '^main/platform/',
        ],
      },
    },
    {
      name: 'enter-rooms-of-a-half-by-their-index',
      severity: 'error',
      from: { path: '^main/(console|station|store)/([^/]+)/' },
      to: {
        path: '^main/$1/[^/]+/.+',
        pathNot: ['^main/$1/$2/', '^main/$1/[^/]+/index\\.ts$'],
      },
    },
    {
      name: 'entries-enter-main-folders-by-their-index',
      severity: 'error',
      from: { path: '^main/[^/]+\\.ts$' },
      // `paths.ts` needs nothing else: the key of a data directory is derived while the rest still loads.
      to: {
        path: '^main/[^/]+/.+',
        pathNot: ['^main/[^/]+/index\\.ts$', '^main/platform/', '^main/configuration/paths\\.ts$'],
      },
    },
    {
      name: 'enter-renderer-folders-by-their-index',
      severity: 'error',
      from: { path: '^renderer/([^/]+)/' },
      to: { path: '^renderer/([^/]+)/.+', pathNot: ['^renderer/$1/', '^renderer/[^/]+/index\\.tsx?$', '\\.css$'] },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: { path: '^(main|preload|renderer|shared|test)/' },
      to: { couldNotResolve: true, pathNot: '^(electron|virtual:)' },
    },
    {
      name: 'no-dev-packages-at-run-time',
      comment: 'The packaged application carries dependencies only.',
      severity: 'error',
      from: { path: '^main/', pathNot: '^main/commands/' },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: 'node_modules/(electron|@types)/',
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
