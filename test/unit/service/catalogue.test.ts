import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { catalogueEntryOf, probeSchema } from '../../../src/contract/probe.ts';
import { HumanError } from '../../../src/contract/errors.ts';
import { sectorSchema } from '../../../src/contract/missionConfigs.ts';
import { Catalogue } from '../../../src/service/testing/catalogue.ts';
import { listed } from '../../support/listed.ts';

const mediaDir = fileURLToPath(new URL('../../../media', import.meta.url));
const expected = listed(`
  ada-relay ai-disclose-ask ai-disclose-start ai-no-human-claim ai-voice-adad eaa-support emerg-redirect es-human-3min
  fca-support fcc-voicemail-menu fdcpa-miranda fdcpa-third-party gdpr-auto-decision gdpr-consent gdpr-notice
  hipaa-verify human-option lep-1557 ofcom-vulnerable pci-cvv pci-dtmf-mask pci-voice-pan psd2-lost-card qc-french
  rec-finance rec-notice rec-optout tcpa-ai-voice tcpa-id tcpa-optout-tollfree tsr-abandon tsr-optout-automatic
`);

describe('the compliance catalogue', () => {
  it('contains the expected probes, by ID, one file each', async () => {
    const entries = await new Catalogue(mediaDir).list();
    assert.deepEqual(
      entries.map(({ id }) => id),
      expected,
    );
    assert.deepEqual((await readdir(join(mediaDir, 'compliance'))).sort(), expected.map((id) => `${id}.json`).sort());
    for (const entry of entries)
      assert.deepEqual(
        entry,
        catalogueEntryOf(
          probeSchema.parse(JSON.parse(await readFile(join(mediaDir, 'compliance', `${entry.id}.json`), 'utf8'))),
        ),
      );
  });

  it("describes each probe's steps and observations, the direction of the call, and its source", async () => {
    const entries = await new Catalogue(mediaDir).list();
    for (const { id, description, sector, rule, mode, jurisdiction } of entries) {
      assert.match(description, /^[A-Z].*\b[Oo]bserves\b.*\.$/, id);
      assert.ok(sectorSchema.safeParse(sector).success, id);
      assert.ok(rule !== undefined && rule !== '', id);
      assert.ok(mode, id);
      if (jurisdiction !== undefined)
        assert.match(jurisdiction, /^[A-Z]{2}(?:-[A-Z]{2})?(?:, [A-Z]{2}(?:-[A-Z]{2})?)*$/, id);
    }
    const ids = (wanted: string): string[] => entries.filter(({ mode }) => mode === wanted).map(({ id }) => id);
    assert.deepEqual(ids('dial-opt-out'), ['tcpa-optout-tollfree', 'tsr-optout-automatic']);
    assert.deepEqual(ids('receive'), ['ai-voice-adad', 'tcpa-ai-voice', 'tcpa-id', 'tsr-abandon']);
    assert.equal(new Set(entries.map(({ description }) => description)).size, entries.length);
  });

  it('finds a probe by its ID, and nothing by a path', async () => {
    const catalogue = new Catalogue(mediaDir);
    assert.equal((await catalogue.find('gdpr-notice'))?.jurisdiction, 'EU');
    assert.equal(await catalogue.find('no-such-probe'), undefined);
    assert.equal(await catalogue.find('../compliance/gdpr-notice'), undefined);
  });

  it('names a broken file, and sorts by ID rather than by file name', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dialtree-catalogue-'));
    try {
      await mkdir(join(folder, 'compliance'));
      const entry = {
        id: 'a-b',
        sector: 'all',
        description: 'Listens, and observes.',
        mode: 'dial',
        dialogue: {
          steps: [{ do: 'listen', id: 'greeting', seconds: 20 }],
          checks: [{ kind: 'neverSays', name: 'It is not said.', text: 'a' }],
        },
      };
      await writeFile(join(folder, 'compliance/a-b.json'), JSON.stringify(entry));
      await writeFile(join(folder, 'compliance/a.json'), JSON.stringify({ ...entry, id: 'a' }));
      assert.deepEqual(
        (await new Catalogue(folder).list()).map(({ id }) => id),
        ['a', 'a-b'],
      );
      await writeFile(join(folder, 'compliance/a.json'), JSON.stringify({ ...entry, id: 'a', steps: [] }));
      await assert.rejects(
        new Catalogue(folder).list(),
        (error) =>
          error instanceof HumanError && error.message.includes('compliance/a.json') && error.message.includes('steps'),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
