/** The transmission path of a call over G.711. */
interface VoicePath {
  /** Mouth to ear, in milliseconds: network, packetisation (20 ms a packet) and jitter buffer. */
  readonly oneWayDelayMs: number;
  /** Share of packets that the network lost, 0 to 1. */
  readonly networkLoss: number;
  /** Share of received packets that were too late for the jitter buffer, 0 to 1. */
  readonly bufferLoss?: number;
  /** Whether the receiver conceals losses (ITU-T G.711 Appendix I). If not, a lost packet is silence. */
  readonly concealment: boolean;
}

interface VoiceQuality {
  /** Transmission rating factor, 0 to 93.2. */
  readonly r: number;
  /** Mean opinion score of a conversation (MOS-CQE), 1 to 4.5. */
  readonly mos: number;
  /** It is computed from the path, not from listening, and must be shown as an estimate. */
  readonly estimated: true;
}

/**
 * ITU-T G.107 (06/2015) with the default values of its table 2: basic signal-to-noise ratio Ro and simultaneous
 * impairment Is, which give R = 93.2 for an undisturbed call.
 */
const ro = 94.7688;
const is = 1.4136;
/**
 * Table 2: echo loudness of the talker and round-trip loss of the listener's echo (dB), noise sum No (dBm0p) and
 * receive loudness rating RLR (dB).
 */
const telr = 65;
const wepl = 110;
const noise = -61.18;
const rlr = 2;
/** ITU-T G.113 Appendix I: impairment Ie of G.711, and its robustness Bpl against loss without and with concealment. */
const ie = 0;
const bpl = { plain: 4.3, concealed: 25.1 };

/**
 * Estimates the quality of a conversation by the E-model: R = Ro − Is − Id − Ie,eff (ITU-T G.107, section 7.1), with
 * everything except delay and loss at its default (narrow band, echo loudness 65 dB, no advantage of access). Loss in
 * the network and in the jitter buffer add up to the Ppl of section 7.5. It is a planning value for comparing paths,
 * not a measurement of what was heard. Shares outside 0 to 1 and negative delays are RangeErrors.
 */
export function estimateQuality({ oneWayDelayMs, networkLoss, bufferLoss = 0, concealment }: VoicePath): VoiceQuality {
  if (!(oneWayDelayMs >= 0)) throw new RangeError(`A delay is not ${oneWayDelayMs} ms.`);
  for (const share of [networkLoss, bufferLoss])
    if (!(share >= 0 && share <= 1))
      throw new RangeError(`A share of lost packets lies between 0 and 1; this is ${share}.`);
  const loss = 100 * (1 - (1 - networkLoss) * (1 - bufferLoss));
  const robustness = concealment ? bpl.concealed : bpl.plain;
  // Section 7.5: Ie,eff = Ie + (95 − Ie) · Ppl / (Ppl / BurstR + Bpl), where BurstR is 1 for random loss.
  const equipment = ie + ((95 - ie) * loss) / (loss + robustness);
  const r = Math.max(0, ro - is - delayImpairment(oneWayDelayMs) - equipment);
  return { r, mos: mosOf(r), estimated: true };
}

/**
 * Id of section 7.4 for one delay throughout (T = Ta, Tr = 2 T): talker's echo, listener's echo, and delay as such.
 * 0.15 without any delay.
 */
export function delayImpairment(delayMs: number): number {
  // Idte. Up to a few milliseconds, the talker's own voice covers its echo.
  const terv = telr - 40 * Math.log10((1 + delayMs / 10) / (1 + delayMs / 150)) + 6 * Math.exp(-0.3 * delayMs ** 2);
  const re = 80 + 2.5 * (terv - 14);
  const roe = -1.5 * (noise - rlr);
  const talker = Math.max(0, ((roe - re) / 2 + Math.sqrt((roe - re) ** 2 / 4 + 100) - 1) * (1 - Math.exp(-delayMs)));
  // Idle.
  const rle = 10.5 * (wepl + 7) * (2 * delayMs + 1) ** -0.25;
  const listener = (ro - rle) / 2 + Math.sqrt((ro - rle) ** 2 / 4 + 169);
  // Idd, with the default sensitivity to delay.
  const x = Math.log2(delayMs / 100);
  const interaction = delayMs <= 100 ? 0 : 25 * ((1 + x ** 6) ** (1 / 6) - 3 * (1 + (x / 3) ** 6) ** (1 / 6) + 2);
  return talker + listener + interaction;
}

/** MOS-CQE of a rating factor: G.107, Annex B. 1 at and below 0, 4.5 from 100. */
export function mosOf(r: number): number {
  if (r <= 0) return 1;
  if (r >= 100) return 4.5;
  // The cubic dips below 1 for the smallest R.
  return Math.max(1, 1 + 0.035 * r + r * (r - 60) * (100 - r) * 7e-6);
}
