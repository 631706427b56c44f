# data/training.pxi - a network in floating point, fitted to samples by gradients.
#
# Uses: eval/network/hanging, eval/network/features, eval/network/kernels, data/samples.
# The result is the same to the bit on all machines and for any number of threads: a batch is cut into PARTS whose
# gradients are added in order, sums over lanes are written out, and nothing comes from the C library's mathematics.
# Adam is by Kingma and Ba 2015, with the decay of weights apart from it (Loshchilov and Hutter 2019).

cdef extern from *:
    """
    #define PARTS     4                      /* of a batch, each with a gradient of its own */
    #define MAX_FEATURES  64                 /* 32 pieces, which may hang */
    #define INPUT_LIMIT  0.98f               /* of the weights of rows: sums of 32 fit 16 bits */
    #define LAYER_LIMIT  1.84f               /* of the layers: what MAX_WEIGHT holds */

    typedef float ele_floats __attribute__((vector_size(64)));   /* 16 lanes for sums, on every machine */
    #define FLOATS 16
    typedef float ele_register __attribute__((vector_size(REGISTER_BYTES)));
    #define REGISTER_FLOATS (REGISTER_BYTES / 4)

    /* What the network sees of a sample. */
    typedef struct {
        int n;
        int16_t rows[2][MAX_FEATURES];       /* of both perspectives: of the pieces, then of those that hang */
        uint8_t hanging[32];                 /* 1 for pieces that hang */
        int pieces;
        int bucket;
        float scale[2];                      /* of the output: if it is above 0, and if not */
        float target;
    } SampleFeatures;

    /* Offsets of the parts of a network with that many hidden neurons, in numbers. */
    static inline size_t bias_at(int hidden) { return (size_t)NETWORK_ROWS * hidden; }
    static inline size_t first_weights_at(int hidden) { return bias_at(hidden) + hidden; }
    static inline size_t first_bias_at(int hidden) {
        return first_weights_at(hidden) + (size_t)NETWORK_BUCKETS * FIRST_LAYER * 2 * hidden;
    }
    static inline size_t second_weights_at(int hidden) {
        return first_bias_at(hidden) + NETWORK_BUCKETS * FIRST_LAYER;
    }
    static inline size_t second_bias_at(int hidden) {
        return second_weights_at(hidden) + NETWORK_BUCKETS * 2 * FIRST_LAYER * SECOND_LAYER;
    }
    static inline size_t output_weights_at(int hidden) {
        return second_bias_at(hidden) + NETWORK_BUCKETS * SECOND_LAYER;
    }
    static inline size_t parameters_of(int hidden) {
        return output_weights_at(hidden) + NETWORK_BUCKETS * SECOND_LAYER;
    }

    static double natural_exp(double x) {
        static const double terms[] = { 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
                                        1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0 };
        const double ln2 = 0.693147180559945309;
        double sum = 0;
        if (x < -700) x = -700;
        if (x > 700) x = 700;
        int64_t power = (int64_t)(x / ln2 + (x < 0 ? -0.5 : 0.5));
        double rest = x - (double)power * ln2;
        for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) sum = sum * rest + terms[i];
        union { uint64_t bits; double value; } scale = { (uint64_t)(power + 1023) << 52 };
        return sum * scale.value;
    }

    static double natural_log(double x) {    /* of a number above 0 */
        union { double value; uint64_t bits; } u = { x };
        int64_t power = (int64_t)(u.bits >> 52) - 1023;
        u.bits = (u.bits & 0xfffffffffffffULL) | 0x3ff0000000000000ULL;
        if (u.value > 1.414213562373095) { u.value /= 2; power++; }
        double t = (u.value - 1) / (u.value + 1), sum = 0;
        for (int i = 23; i > 0; i -= 2) sum = sum * t * t + 1.0 / i;
        return 2 * t * sum + (double)power * 0.693147180559945309;
    }

    static inline double logistic(double x) { return 1 / (1 + natural_exp(-x)); }

    static double cross_entropy(double z, double target) {   /* of logistic(z) to the target */
        return (z > 0 ? z : 0) + natural_log(1 + natural_exp(z > 0 ? -z : z)) - target * z;
    }

    static inline float add_lanes(const ele_floats *sum) {
        float half[8], total = 0;
        for (int i = 0; i < 8; i++) half[i] = ((const float *)sum)[i] + ((const float *)sum)[i + 8];
        for (int i = 0; i < 8; i++) total += half[i];
        return total;
    }

    /* The hidden sums of one perspective. */
    #define GATHER(count) \\
        for (; at + REGISTER_FLOATS * count <= hidden; at += REGISTER_FLOATS * count) { \\
            ele_register sum[count]; \\
            for (int k = 0; k < count; k++) sum[k] = ((const ele_register *)(bias + at))[k]; \\
            for (int i = 0; i < n; i++) \\
                for (int k = 0; k < count; k++) \\
                    sum[k] += ((const ele_register *)(net + (size_t)rows[i] * hidden + at))[k]; \\
            for (int k = 0; k < count; k++) ((ele_register *)(into + at))[k] = sum[k]; \\
        }
    static void gather(float *into, const float *net, int hidden, const int16_t *rows, int n) {
        const float *bias = net + bias_at(hidden);
        int at = 0;
        GATHER(8)
        GATHER(4)
    }

    #define SCATTER(count) \\
        for (; at + REGISTER_FLOATS * count <= hidden; at += REGISTER_FLOATS * count) { \\
            ele_register part[count]; \\
            for (int k = 0; k < count; k++) { \\
                part[k] = ((const ele_register *)(slope + at))[k]; \\
                ((ele_register *)(bias + at))[k] += part[k]; \\
            } \\
            for (int i = 0; i < n; i++) \\
                for (int k = 0; k < count; k++) \\
                    ((ele_register *)(gradient + (size_t)rows[i] * hidden + at))[k] += part[k]; \\
        }
    static void scatter(float *gradient, const float *slope, int hidden, const int16_t *rows, int n) {
        float *bias = gradient + bias_at(hidden);
        int at = 0;
        SCATTER(8)
        SCATTER(4)
    }

    static inline float cut(float v, float low) { return v < low ? low : v > 1 ? 1 : v; }

    static float dot(const float *a, const float *b, int n) {
        ele_floats sum = { 0 };
        for (int i = 0; i < n; i += FLOATS) sum += *(const ele_floats *)(a + i) * *(const ele_floats *)(b + i);
        return add_lanes(&sum);
    }

    static inline void add_times(float *restrict into, const float *restrict from, float factor, int n) {
        for (int i = 0; i < n; i++) into[i] += factor * from[i];
    }

    /* The output for a sample, as it counts; adds to the gradient unless NULL. The loss is for a target, the
       cross-entropy of the logistic of the output. kernels.pxi has the same in integers. */
    static double forward(const float *net, int hidden, const SampleFeatures *features, float *gradient) {
        float sums[2][MAX_HIDDEN] __attribute__((aligned(64)));
        float active[2 * MAX_HIDDEN] __attribute__((aligned(64)));
        float squares[2 * MAX_HIDDEN] __attribute__((aligned(64)));
        float by_square[2 * MAX_HIDDEN] __attribute__((aligned(64)));
        float second[SECOND_LAYER] __attribute__((aligned(64)));
        float inner[SECOND_LAYER] __attribute__((aligned(64)));    /* output weights where a sum is within its limits */
        float first[FIRST_LAYER];
        const int both = 2 * hidden, bucket = features->bucket;
        const size_t first_weights = first_weights_at(hidden) + (size_t)FIRST_LAYER * both * bucket;
        const size_t first_bias = first_bias_at(hidden) + FIRST_LAYER * bucket;
        const size_t weights = second_weights_at(hidden) + 2 * FIRST_LAYER * SECOND_LAYER * bucket;
        const size_t bias = second_bias_at(hidden) + SECOND_LAYER * bucket;
        const size_t output_weights = output_weights_at(hidden) + SECOND_LAYER * bucket;
        for (int p = 0; p < 2; p++) {
            gather(sums[p], net, hidden, features->rows[p], features->n);
            for (int i = 0; i < hidden; i++) {
                float v = cut(sums[p][i], 0);
                active[p * hidden + i] = v;
                squares[p * hidden + i] = v * v;
            }
        }
        for (int k = 0; k < SECOND_LAYER; k++) second[k] = net[bias + k];
        for (int j = 0; j < FIRST_LAYER; j++) {
            float v = net[first_bias + j] + dot(squares, net + first_weights + j * both, both);
            first[j] = v;
            add_times(second, net + weights + j * SECOND_LAYER, cut(v, 0), SECOND_LAYER);
            v = cut(v, -1);
            add_times(second, net + weights + (FIRST_LAYER + j) * SECOND_LAYER, v * v, SECOND_LAYER);
        }
        for (int k = 0; k < SECOND_LAYER; k++) {
            inner[k] = second[k] > 0 && second[k] < 1 ? net[output_weights + k] : 0;
            second[k] = cut(second[k], 0);
        }
        float output = first[0] + dot(second, net + output_weights, SECOND_LAYER);
        float scale = features->scale[output > 0 ? 0 : 1];
        double shown = output * scale;
        if (gradient == NULL) return shown;
        float slope = (float)(logistic(shown) - features->target) * scale;
        add_times(gradient + output_weights, second, slope, SECOND_LAYER);
        add_times(gradient + bias, inner, slope, SECOND_LAYER);
        for (int i = 0; i < both; i++) by_square[i] = 0;
        for (int j = 0; j < FIRST_LAYER; j++) {
            float v = first[j], to_first = j == 0 ? slope : 0;
            if (v > 0) {
                add_times(gradient + weights + j * SECOND_LAYER, inner, slope * cut(v, 0), SECOND_LAYER);
                if (v < 1) to_first += slope * dot(inner, net + weights + j * SECOND_LAYER, SECOND_LAYER);
            }
            add_times(gradient + weights + (FIRST_LAYER + j) * SECOND_LAYER, inner, slope * cut(v, -1) * cut(v, -1),
                      SECOND_LAYER);
            if (v > -1 && v < 1)
                to_first += 2 * v * slope
                            * dot(inner, net + weights + (FIRST_LAYER + j) * SECOND_LAYER, SECOND_LAYER);
            gradient[first_bias + j] += to_first;
            add_times(gradient + first_weights + j * both, squares, to_first, both);
            add_times(by_square, net + first_weights + j * both, to_first, both);
        }
        for (int p = 0; p < 2; p++) {
            for (int i = 0; i < hidden; i++) {
                float v = active[p * hidden + i];
                sums[p][i] = v < 1 ? 2 * v * by_square[p * hidden + i] : 0;
            }
            scatter(gradient, sums[p], hidden, features->rows[p], features->n);
        }
        return shown;
    }

    /* One step of Adam for the numbers from `first` to `last`, with the gradients of all parts, which are cleared. */
    static void adam_step(float *net, float *mean, float *square, float *const *gradients, size_t first, size_t last,
                          size_t inputs, float share, float rate, float decay, float mean_left, float square_left) {
        const float keep_mean = 0.9f, keep_square = 0.999f;
        float *a = gradients[0], *b = gradients[1], *c = gradients[2], *d = gradients[3];
        for (size_t i = first; i < last; i++) {
            float limit = i < inputs ? INPUT_LIMIT : LAYER_LIMIT;
            float g = (((a[i] + b[i]) + c[i]) + d[i]) * share;
            float m = keep_mean * mean[i] + (1 - keep_mean) * g;
            float s = keep_square * square[i] + (1 - keep_square) * g * g;
            float step = m / mean_left / (__builtin_sqrtf(s / square_left) + 1e-8f);
            float w = net[i] - rate * (step + (i < inputs ? decay : 0) * net[i]);
            a[i] = b[i] = c[i] = d[i] = 0;
            mean[i] = m;
            square[i] = s;
            net[i] = w < -limit ? -limit : w > limit ? limit : w;
        }
    }
    """
    const int PARTS, MAX_FEATURES
    ctypedef struct SampleFeatures:
        int n
        int16_t rows[2][64]
        uint8_t hanging[32]
        int pieces
        int bucket
        float scale[2]
        float target
    size_t bias_at(int hidden) noexcept nogil
    size_t first_weights_at(int hidden) noexcept nogil
    size_t first_bias_at(int hidden) noexcept nogil
    size_t second_weights_at(int hidden) noexcept nogil
    size_t second_bias_at(int hidden) noexcept nogil
    size_t output_weights_at(int hidden) noexcept nogil
    size_t parameters_of(int hidden) noexcept nogil
    double natural_log(double x) noexcept nogil
    int lowest_bit "__builtin_ctzll"(uint64_t bits) noexcept nogil
    double logistic(double x) noexcept nogil
    double cross_entropy(double z, double target) noexcept nogil
    double forward(const float* net, int hidden, const SampleFeatures* features, float* gradient) noexcept nogil
    void adam_step(float* net, float* mean, float* square, float** gradients, size_t first, size_t last, size_t inputs,
                   float share, float rate, float decay, float mean_left, float square_left) noexcept nogil


cdef struct InputRecord:         # a sample for training elsewhere: 176 bytes
    int16_t rows[2][32]          # of its pieces; -1 after the last one
    uint8_t hanging[32]          # 1 for those that hang
    float scale[2]
    int16_t score                # as of a Sample
    int16_t eval
    uint8_t bucket
    uint8_t result
    uint8_t pieces
    uint8_t spare


cdef struct Training:
    int hidden
    double unit_cp               # centipawns of an output of 1
    double mix                   # share of the score in the target; the rest is the result
    double decay
    float* net                   # rows, hidden bias, then the layers
    float* mean                  # of Adam
    float* square
    float* gradients[4]
    double mean_left             # 1 - the power of Adam's constants
    double square_left


cdef void init_weights(Training* t, uint64_t seed) noexcept nogil:
    """Where training begins: neurons in their active range, as if nothing hung, equal layers for all buckets."""
    cdef size_t bias = bias_at(t.hidden), first = first_weights_at(t.hidden)
    cdef size_t second = second_weights_at(t.hidden), second_bias = second_bias_at(t.hidden)
    cdef size_t output = output_weights_at(t.hidden)
    memset(t.net, 0, parameters_of(t.hidden) * sizeof(float))
    init_array(t.net, <size_t>PIECE_ROWS * t.hidden, 0, 0.06, &seed)
    init_array(t.net + bias, t.hidden, 0.3, 0.1, &seed)
    init_array(t.net + first, 2 * FIRST_LAYER * t.hidden, 0, 0.1, &seed)
    init_array(t.net + second, 2 * FIRST_LAYER * SECOND_LAYER, 0, 0.3, &seed)
    init_array(t.net + second_bias, SECOND_LAYER, 0.2, 0, &seed)
    init_array(t.net + output, SECOND_LAYER, 0, 0.05, &seed)
    repeat_array(t.net + first, 2 * FIRST_LAYER * t.hidden)
    repeat_array(t.net + second, 2 * FIRST_LAYER * SECOND_LAYER)
    repeat_array(t.net + second_bias, SECOND_LAYER)
    repeat_array(t.net + output, SECOND_LAYER)


cdef void repeat_array(float* numbers, size_t n) noexcept nogil:
    """Those of the first bucket for the others."""
    cdef size_t i
    for i in range(1, NETWORK_BUCKETS):
        memcpy(numbers + i * n, numbers, n * sizeof(float))


cdef void init_array(float* numbers, size_t n, double middle, double reach, uint64_t* random) noexcept nogil:
    cdef size_t i
    for i in range(n):
        numbers[i] = <float>(middle + reach * (2 * uniform(random) - 1))


cdef double uniform(uint64_t* random) noexcept nogil:
    """From 0 to 1."""
    return <double>(splitmix64(random) >> 11) / 9007199254740992.0


cdef void shuffle_order(uint32_t* order, uint64_t n, uint64_t seed, uint64_t number) noexcept nogil:
    """The order of samples in the pass of that number."""
    cdef uint64_t i, k, random = seed ^ (number << 32)
    cdef uint32_t other
    for i in range(n):
        order[i] = <uint32_t>i
    for i in range(n - 1, 0, -1):
        k = splitmix64(&random) % (i + 1)
        other = order[i]
        order[i] = order[k]
        order[k] = other


cdef void extract_features(const Training* t, const Sample* sample, SampleFeatures* features) noexcept nogil:
    """What the network sees of a sample, and what it should say of it."""
    extract_inputs(sample, features)
    features.target = <float>(t.mix * logistic(sample.score / t.unit_cp) + (1 - t.mix) * sample.result / 2.0)


cdef void extract_inputs(const Sample* sample, SampleFeatures* features) noexcept nogil:
    """Turn a sample into rows, with its mirror image as features.pxi rules."""
    cdef uint64_t low = sample.low
    cdef uint32_t high = sample.high
    cdef uint8_t[32] squares
    cdef uint8_t[32] codes
    cdef int[2] king
    cdef int64_t lean
    cdef int n = 0, p, i, seen = 0
    cdef bint mirror
    cdef Position pos
    cdef State state
    cdef SquareBits hanging
    cdef float left = fade(sample.quiet)
    while low:
        squares[n] = <uint8_t>lowest_bit(low)
        low &= low - 1
        n += 1
    while high:
        squares[n] = <uint8_t>(64 + lowest_bit(high))
        high &= high - 1
        n += 1
    clear_position(&pos, &state)
    for i in range(n):
        codes[i] = sample.codes[i >> 1] >> 4 * (i & 1) & 15
        put_piece(&pos, codes[i], squares[i])
        if type_of(codes[i]) == KING:
            king[side_of(codes[i])] = file_of(squares[i])
    hanging = hanging_pieces(&pos)
    for p in range(2):
        lean = 0
        if king[p] == 4:
            for i in range(n):
                lean += LEAN[codes[i]][squares[i]][p]
        mirror = is_mirrored(king[p], lean)
        for i in range(n):
            features.rows[p][i] = FEATURE[p][mirror][codes[i]][squares[i]]
        seen = add_hanging(features.rows[p], n, &FEATURE[p][mirror][0][0], pos.board, hanging)
    for i in range(n):
        features.hanging[i] = set_has(hanging, squares[i])
    features.n = seen
    features.pieces = n
    features.bucket = bucket_of(n)
    features.scale[0] = sample.scale[0] / <float>64.0 * left
    features.scale[1] = sample.scale[1] / <float>64.0 * left


cdef void fill_record(const Sample* sample, InputRecord* record) noexcept nogil:
    cdef SampleFeatures features
    cdef int p, i
    extract_inputs(sample, &features)
    memset(record, 0, sizeof(InputRecord))
    for p in range(2):
        for i in range(32):
            record.rows[p][i] = features.rows[p][i] if i < features.pieces else -1
        record.scale[p] = features.scale[p]
    record.score = sample.score
    record.eval = sample.eval
    record.bucket = <uint8_t>features.bucket
    record.result = sample.result
    record.pieces = <uint8_t>features.pieces
    memcpy(record.hanging, features.hanging, features.pieces)


cdef void train_part(const Training* t, const Sample* samples, const uint32_t* order, uint64_t n,
                     float* gradient) noexcept nogil:
    """Add the gradients of the samples with these numbers."""
    cdef SampleFeatures features
    cdef uint64_t i
    for i in range(n):
        if i + 8 < n:
            ele_prefetch(&samples[order[i + 8]])
        extract_features(t, &samples[order[i]], &features)
        forward(t.net, t.hidden, &features, gradient)


cdef void train_batch(Training* t, const Sample* samples, const uint32_t* order, uint64_t n, double rate,
                      int threads) noexcept nogil:
    """One step with the samples of these numbers."""
    cdef int p
    cdef size_t size = parameters_of(t.hidden), inputs = first_weights_at(t.hidden)
    cdef uint64_t quarter = n // PARTS
    t.mean_left = 1 - 0.9 * (1 - t.mean_left)
    t.square_left = 1 - 0.999 * (1 - t.square_left)
    threads = team_of(threads)
    for p in prange(PARTS, num_threads=threads, schedule="dynamic", chunksize=1):
        train_part(t, samples, order + p * quarter, n - p * quarter if p == PARTS - 1 else quarter, t.gradients[p])
    for p in prange(PARTS, num_threads=threads, schedule="dynamic", chunksize=1):
        adam_step(t.net, t.mean, t.square, t.gradients, size // PARTS * p,
                  size if p == PARTS - 1 else size // PARTS * (p + 1), inputs, <float>(1.0 / n), <float>rate,
                  <float>t.decay, <float>t.mean_left, <float>t.square_left)


cdef struct Losses:
    double target                # cross-entropy to the target, summed up
    double entropy               # of the targets themselves
    double result                # cross-entropy to the result alone


cdef void add_losses(const Training* t, const Sample* samples, uint64_t n, bint classical, Losses* sums) noexcept nogil:
    """Of the network, or of the classical evaluation."""
    cdef SampleFeatures features
    cdef uint64_t i
    cdef double shown, score
    for i in range(n):
        extract_features(t, &samples[i], &features)
        shown = samples[i].eval / t.unit_cp if classical else forward(t.net, t.hidden, &features, NULL)
        sums.target += cross_entropy(shown, features.target)
        sums.result += cross_entropy(shown, samples[i].result / 2.0)
        # The logistic of this is the target, so that what is left is the target's own entropy.
        if 0 < features.target < 1:
            score = natural_log(features.target / (1 - features.target))
            sums.entropy += cross_entropy(score, features.target)
