! seiche/distributed.h for Fortran 2003, and what a program needs of seiche.h for it. Compile this file with the
! program: modules belong to one compiler. Names, arguments and statuses are those of C, whose headers say what each
! function does; a handle is a type(c_ptr), c_null_ptr for none. A text goes in as 'text' // c_null_char; c_null_char
! alone is the default. Lengths are in C's order: for an array a(n1, n2, n3) of Fortran's they are [n3, n2, n1], and
! axis 0 is the last here.
module seiche_distributed
    use, intrinsic :: iso_c_binding
    implicit none
    public

    integer(c_int), parameter :: SEICHE_OK = 0, SEICHE_INVALID_PROBLEM = 1, SEICHE_UNSUPPORTED = 2, &
        SEICHE_BACKEND_ERROR = 3, SEICHE_INTERNAL_ERROR = 4, SEICHE_MISSING_FUNCTION = 5
    integer(c_int), parameter :: SEICHE_BOTH = 0, SEICHE_ONLY_FORWARD = 1, SEICHE_ONLY_INVERSE = 2
    integer(c_int), parameter :: SEICHE_FORWARD = 0, SEICHE_INVERSE = 1, SEICHE_DIRECTION_OF_PLAN = 2
    integer(c_int), parameter :: SEICHE_F32 = 0, SEICHE_F64 = 1, SEICHE_F64X2 = 2, SEICHE_F16 = 3
    integer(c_int), parameter :: SEICHE_STORAGE_SAME = 0, SEICHE_STORAGE_F16 = 1, SEICHE_STORAGE_BF16 = 2, &
        SEICHE_STORAGE_F32 = 3, SEICHE_STORAGE_F64 = 4
    integer(c_int), parameter :: SEICHE_TRANSPORT_AUTOMATIC = 0, SEICHE_TRANSPORT_HOST = 1, SEICHE_TRANSPORT_PEER = 2
    integer(c_int), parameter :: SEICHE_DECOMPOSITION_ANY = 0, SEICHE_DECOMPOSITION_SLABS = 1, &
        SEICHE_DECOMPOSITION_PENCILS = 2, SEICHE_DECOMPOSITION_FOUR_STEP = 3

    ! Each of these but the last two is started by its seiche_..._init(value, c_sizeof(value)). c_sizeof is of Fortran
    ! 2008; before that the size is size(transfer(value, [c_null_char])).
    type, bind(c) :: seiche_thread_options
        integer(c_size_t) :: struct_size
        integer(c_int64_t) :: time_limit_ms
        integer(c_int) :: transport, reserved
    end type
    type, bind(c) :: seiche_message_options
        integer(c_size_t) :: struct_size
        integer(c_int64_t) :: time_limit_ms
        integer(c_int) :: reads_device_memory, reserved
    end type
    type, bind(c) :: seiche_messages
        integer(c_size_t) :: struct_size
        type(c_ptr) :: user
        type(c_funptr) :: open, send, receive, is_done, abandon, release, error_text
    end type
    type, bind(c) :: seiche_distributed_options
        integer(c_size_t) :: struct_size
        integer(c_int) :: directions, decomposition
        integer(c_int64_t) :: pieces
        type(c_ptr) :: fabric
    end type
    type, bind(c) :: seiche_distributed_report
        integer(c_size_t) :: struct_size
        integer(c_int64_t) :: bytes_sent, bytes_copied
        integer(c_int) :: copies, exchanges
    end type
    type, bind(c) :: seiche_distributed_execution
        integer(c_size_t) :: struct_size
        integer(c_int) :: direction, reserved
        type(c_ptr) :: input
        integer(c_int64_t) :: input_offset
        type(c_ptr) :: output
        integer(c_int64_t) :: output_offset
        type(c_ptr) :: workspace
        integer(c_int64_t) :: workspace_offset
    end type
    type, bind(c) :: seiche_element
        integer(c_int) :: precision, storage, is_complex
    end type
    type, bind(c) :: seiche_buffer_part
        type(c_ptr) :: buffer
        integer(c_int64_t) :: offset
    end type

    interface
        ! of the core: devices, queues, memory and problems

        function seiche_last_error() bind(c) result(answer)
            import :: c_ptr
            type(c_ptr) :: answer
        end function

        subroutine seiche_text_release(text) bind(c)
            import :: c_ptr
            type(c_ptr), value :: text
        end subroutine

        function seiche_device_open(name, device) bind(c) result(status)
            import :: c_char, c_int, c_ptr
            character(kind=c_char), intent(in) :: name(*)
            type(c_ptr), intent(out) :: device
            integer(c_int) :: status
        end function

        subroutine seiche_device_release(device) bind(c)
            import :: c_ptr
            type(c_ptr), value :: device
        end subroutine

        function seiche_queue_create(device, queue) bind(c) result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: device
            type(c_ptr), intent(out) :: queue
            integer(c_int) :: status
        end function

        function seiche_queue_wait(queue) bind(c) result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: queue
            integer(c_int) :: status
        end function

        subroutine seiche_queue_release(queue) bind(c)
            import :: c_ptr
            type(c_ptr), value :: queue
        end subroutine

        function seiche_buffer_create(device, bytes, buffer) bind(c) result(status)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: device
            integer(c_int64_t), value :: bytes
            type(c_ptr), intent(out) :: buffer
            integer(c_int) :: status
        end function

        subroutine seiche_buffer_release(buffer) bind(c)
            import :: c_ptr
            type(c_ptr), value :: buffer
        end subroutine

        function seiche_upload(queue, to, byte_offset, from, bytes) bind(c) result(status)
            import :: c_int, c_int64_t, c_ptr, c_size_t
            type(c_ptr), value :: queue, to
            integer(c_int64_t), value :: byte_offset
            type(c_ptr), value :: from
            integer(c_size_t), value :: bytes
            integer(c_int) :: status
        end function

        function seiche_download(queue, to, from, byte_offset, bytes) bind(c) result(status)
            import :: c_int, c_int64_t, c_ptr, c_size_t
            type(c_ptr), value :: queue, to, from
            integer(c_int64_t), value :: byte_offset
            integer(c_size_t), value :: bytes
            integer(c_int) :: status
        end function

        function seiche_problem_parse(text, problem) bind(c) result(status)
            import :: c_char, c_int, c_ptr
            character(kind=c_char), intent(in) :: text(*)
            type(c_ptr), intent(out) :: problem
            integer(c_int) :: status
        end function

        subroutine seiche_problem_release(problem) bind(c)
            import :: c_ptr
            type(c_ptr), value :: problem
        end subroutine

        ! of seiche/distributed.h

        function seiche_absent_rank() bind(c) result(answer)
            import :: c_int
            integer(c_int) :: answer
        end function

        function seiche_boxes_slab(axis_count, lengths, axis, ranks, boxes) bind(c) result(status)
            import :: c_int, c_int64_t, c_ptr, c_size_t
            integer(c_size_t), value :: axis_count
            integer(c_int64_t), intent(in) :: lengths(*)
            integer(c_int), value :: axis, ranks
            type(c_ptr), intent(out) :: boxes
            integer(c_int) :: status
        end function

        function seiche_boxes_pencils(axis_count, lengths, axes, p, q, boxes) bind(c) result(status)
            import :: c_int, c_int64_t, c_ptr, c_size_t
            integer(c_size_t), value :: axis_count
            integer(c_int64_t), intent(in) :: lengths(*)
            integer(c_int), intent(in) :: axes(2)
            integer(c_int), value :: p, q
            type(c_ptr), intent(out) :: boxes
            integer(c_int) :: status
        end function

        function seiche_boxes_bricks(axis_count, lengths, axes, p, q, r, boxes) bind(c) result(status)
            import :: c_int, c_int64_t, c_ptr, c_size_t
            integer(c_size_t), value :: axis_count
            integer(c_int64_t), intent(in) :: lengths(*)
            integer(c_int), intent(in) :: axes(3)
            integer(c_int), value :: p, q, r
            type(c_ptr), intent(out) :: boxes
            integer(c_int) :: status
        end function

        function seiche_boxes_grid(axis_count, lengths, parts, boxes) bind(c) result(status)
            import :: c_int, c_int64_t, c_ptr, c_size_t
            integer(c_size_t), value :: axis_count
            integer(c_int64_t), intent(in) :: lengths(*), parts(*)
            type(c_ptr), intent(out) :: boxes
            integer(c_int) :: status
        end function

        function seiche_boxes_create(axis_count, ranks, lower, upper, boxes) bind(c) result(status)
            import :: c_int, c_int64_t, c_ptr, c_size_t
            integer(c_size_t), value :: axis_count, ranks
            integer(c_int64_t), intent(in) :: lower(*), upper(*)
            type(c_ptr), intent(out) :: boxes
            integer(c_int) :: status
        end function

        subroutine seiche_boxes_release(boxes) bind(c)
            import :: c_ptr
            type(c_ptr), value :: boxes
        end subroutine

        function seiche_boxes_set_strides(boxes, rank, strides) bind(c) result(status)
            import :: c_int, c_int64_t, c_ptr, c_size_t
            type(c_ptr), value :: boxes
            integer(c_size_t), value :: rank
            integer(c_int64_t), intent(in) :: strides(*)
            integer(c_int) :: status
        end function

        function seiche_boxes_ranks(boxes) bind(c) result(answer)
            import :: c_ptr, c_size_t
            type(c_ptr), value :: boxes
            integer(c_size_t) :: answer
        end function

        function seiche_boxes_axis_count(boxes) bind(c) result(answer)
            import :: c_ptr, c_size_t
            type(c_ptr), value :: boxes
            integer(c_size_t) :: answer
        end function

        function seiche_boxes_get(boxes, rank, lower, upper) bind(c) result(status)
            import :: c_int, c_int64_t, c_ptr, c_size_t
            type(c_ptr), value :: boxes
            integer(c_size_t), value :: rank
            integer(c_int64_t), intent(inout) :: lower(*), upper(*)
            integer(c_int) :: status
        end function

        function seiche_boxes_elements(boxes, rank, elements) bind(c) result(status)
            import :: c_int, c_int64_t, c_ptr, c_size_t
            type(c_ptr), value :: boxes
            integer(c_size_t), value :: rank
            integer(c_int64_t), intent(out) :: elements
            integer(c_int) :: status
        end function

        function seiche_boxes_text(boxes, rank, text) bind(c) result(status)
            import :: c_int, c_ptr, c_size_t
            type(c_ptr), value :: boxes
            integer(c_size_t), value :: rank
            type(c_ptr), intent(out) :: text
            integer(c_int) :: status
        end function

        function seiche_boxes_check(boxes, axis_count, lengths, name) bind(c) result(status)
            import :: c_char, c_int, c_int64_t, c_ptr, c_size_t
            type(c_ptr), value :: boxes
            integer(c_size_t), value :: axis_count
            integer(c_int64_t), intent(in) :: lengths(*)
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int) :: status
        end function

        subroutine seiche_communicator_release(communicator) bind(c)
            import :: c_ptr
            type(c_ptr), value :: communicator
        end subroutine

        function seiche_communicator_rank(communicator) bind(c) result(answer)
            import :: c_int, c_ptr
            type(c_ptr), value :: communicator
            integer(c_int) :: answer
        end function

        function seiche_communicator_size(communicator) bind(c) result(answer)
            import :: c_int, c_ptr
            type(c_ptr), value :: communicator
            integer(c_int) :: answer
        end function

        function seiche_communicator_barrier(communicator) bind(c) result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: communicator
            integer(c_int) :: status
        end function

        function seiche_communicator_split(communicator, color, key, part) bind(c) result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: communicator
            integer(c_int), value :: color, key
            type(c_ptr), intent(out) :: part
            integer(c_int) :: status
        end function

        function seiche_communicator_transport(communicator, text) bind(c) result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: communicator
            type(c_ptr), intent(out) :: text
            integer(c_int) :: status
        end function

        subroutine seiche_thread_options_init(options, struct_size) bind(c)
            import :: c_size_t, seiche_thread_options
            type(seiche_thread_options), intent(out) :: options
            integer(c_size_t), value :: struct_size
        end subroutine

        function seiche_thread_ranks(count, options, ranks) bind(c) result(status)
            import :: c_int, c_ptr, seiche_thread_options
            integer(c_int), value :: count
            type(seiche_thread_options), intent(in) :: options
            type(c_ptr), intent(inout) :: ranks(*)
            integer(c_int) :: status
        end function

        subroutine seiche_message_options_init(options, struct_size) bind(c)
            import :: c_size_t, seiche_message_options
            type(seiche_message_options), intent(out) :: options
            integer(c_size_t), value :: struct_size
        end subroutine

        function seiche_mpi_abi_world(options, library, communicator) bind(c) result(status)
            import :: c_char, c_int, c_ptr, seiche_message_options
            type(seiche_message_options), intent(in) :: options
            character(kind=c_char), intent(in) :: library(*)
            type(c_ptr), intent(out) :: communicator
            integer(c_int) :: status
        end function

        function seiche_mpi_abi_communicator(comm, options, library, communicator) bind(c) result(status)
            import :: c_char, c_int, c_ptr, seiche_message_options
            type(c_ptr), value :: comm
            type(seiche_message_options), intent(in) :: options
            character(kind=c_char), intent(in) :: library(*)
            type(c_ptr), intent(out) :: communicator
            integer(c_int) :: status
        end function

        function seiche_mpi_abi_communicator_from_int(comm, options, library, communicator) bind(c) result(status)
            import :: c_char, c_int, c_ptr, seiche_message_options
            integer(c_int), value :: comm
            type(seiche_message_options), intent(in) :: options
            character(kind=c_char), intent(in) :: library(*)
            type(c_ptr), intent(out) :: communicator
            integer(c_int) :: status
        end function

        subroutine seiche_messages_init(messages, struct_size) bind(c)
            import :: c_size_t, seiche_messages
            type(seiche_messages), intent(out) :: messages
            integer(c_size_t), value :: struct_size
        end subroutine

        function seiche_message_ranks(messages, options, communicator) bind(c) result(status)
            import :: c_int, c_ptr, seiche_message_options, seiche_messages
            type(seiche_messages), intent(in) :: messages
            type(seiche_message_options), intent(in) :: options
            type(c_ptr), intent(out) :: communicator
            integer(c_int) :: status
        end function

        function seiche_nccl_ranks(ranks, device, library, communicator) bind(c) result(status)
            import :: c_char, c_int, c_ptr
            type(c_ptr), value :: ranks, device
            character(kind=c_char), intent(in) :: library(*)
            type(c_ptr), intent(out) :: communicator
            integer(c_int) :: status
        end function

        function seiche_ipc_ranks(ranks, device, communicator) bind(c) result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: ranks, device
            type(c_ptr), intent(out) :: communicator
            integer(c_int) :: status
        end function

        subroutine seiche_distributed_options_init(options, struct_size) bind(c)
            import :: c_size_t, seiche_distributed_options
            type(seiche_distributed_options), intent(out) :: options
            integer(c_size_t), value :: struct_size
        end subroutine

        function seiche_distributed_plan_create(device, problem, input, output, communicator, options, &
            plan) bind(c) result(status)
            import :: c_int, c_ptr, seiche_distributed_options
            type(c_ptr), value :: device, problem, input, output, communicator
            type(seiche_distributed_options), intent(in) :: options
            type(c_ptr), intent(out) :: plan
            integer(c_int) :: status
        end function

        subroutine seiche_distributed_plan_release(plan) bind(c)
            import :: c_ptr
            type(c_ptr), value :: plan
        end subroutine

        function seiche_distributed_plan_input_bytes(plan, bytes) bind(c) result(status)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: plan
            integer(c_int64_t), intent(out) :: bytes
            integer(c_int) :: status
        end function

        function seiche_distributed_plan_output_bytes(plan, bytes) bind(c) result(status)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: plan
            integer(c_int64_t), intent(out) :: bytes
            integer(c_int) :: status
        end function

        function seiche_distributed_plan_workspace_bytes(plan, bytes) bind(c) result(status)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: plan
            integer(c_int64_t), intent(out) :: bytes
            integer(c_int) :: status
        end function

        function seiche_distributed_plan_spectrum_index(plan, axis, position, index) bind(c) result(status)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: plan
            integer(c_int), value :: axis
            integer(c_int64_t), value :: position
            integer(c_int64_t), intent(out) :: index
            integer(c_int) :: status
        end function

        subroutine seiche_distributed_report_init(report, struct_size) bind(c)
            import :: c_size_t, seiche_distributed_report
            type(seiche_distributed_report), intent(out) :: report
            integer(c_size_t), value :: struct_size
        end subroutine

        function seiche_distributed_plan_get_report(plan, report) bind(c) result(status)
            import :: c_int, c_ptr, seiche_distributed_report
            type(c_ptr), value :: plan
            type(seiche_distributed_report), intent(inout) :: report
            integer(c_int) :: status
        end function

        function seiche_distributed_plan_report(plan) bind(c) result(answer)
            import :: c_ptr
            type(c_ptr), value :: plan
            type(c_ptr) :: answer
        end function

        subroutine seiche_distributed_execution_init(execution, struct_size) bind(c)
            import :: c_size_t, seiche_distributed_execution
            type(seiche_distributed_execution), intent(out) :: execution
            integer(c_size_t), value :: struct_size
        end subroutine

        function seiche_distributed_execute(plan, queue, execution) bind(c) result(status)
            import :: c_int, c_ptr, seiche_distributed_execution
            type(c_ptr), value :: plan, queue
            type(seiche_distributed_execution), intent(in) :: execution
            integer(c_int) :: status
        end function

        function seiche_redistribution_create(device, element, axis_count, lengths, from, to, communicator, &
            batch, redistribution) bind(c) result(status)
            import :: c_int, c_int64_t, c_ptr, c_size_t, seiche_element
            type(c_ptr), value :: device
            type(seiche_element), intent(in) :: element
            integer(c_size_t), value :: axis_count
            integer(c_int64_t), intent(in) :: lengths(*)
            type(c_ptr), value :: from, to, communicator
            integer(c_int64_t), value :: batch
            type(c_ptr), intent(out) :: redistribution
            integer(c_int) :: status
        end function

        subroutine seiche_redistribution_release(redistribution) bind(c)
            import :: c_ptr
            type(c_ptr), value :: redistribution
        end subroutine

        function seiche_redistribution_input_bytes(redistribution, bytes) bind(c) result(status)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: redistribution
            integer(c_int64_t), intent(out) :: bytes
            integer(c_int) :: status
        end function

        function seiche_redistribution_output_bytes(redistribution, bytes) bind(c) result(status)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: redistribution
            integer(c_int64_t), intent(out) :: bytes
            integer(c_int) :: status
        end function

        function seiche_redistribution_workspace_bytes(redistribution, bytes) bind(c) result(status)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: redistribution
            integer(c_int64_t), intent(out) :: bytes
            integer(c_int) :: status
        end function

        function seiche_redistribution_bytes_sent(redistribution, bytes) bind(c) result(status)
            import :: c_int, c_int64_t, c_ptr
            type(c_ptr), value :: redistribution
            integer(c_int64_t), intent(out) :: bytes
            integer(c_int) :: status
        end function

        function seiche_redistribution_execute(redistribution, queue, input, output, workspace) bind(c) result(status)
            import :: c_int, c_ptr, seiche_buffer_part
            type(c_ptr), value :: redistribution, queue
            type(seiche_buffer_part), value :: input, output, workspace
            integer(c_int) :: status
        end function
    end interface

contains

    ! A text of C's, which stays C's.
    function seiche_text_of(text) result(own)
        type(c_ptr), intent(in) :: text
        character(len=:), allocatable :: own
        character(kind=c_char), pointer :: letters(:)
        integer :: i, length
        own = ''
        if (.not. c_associated(text)) return
        call c_f_pointer(text, letters, [huge(0)])
        length = 0
        do while (letters(length + 1) /= c_null_char)
            length = length + 1
        end do
        own = repeat(' ', length)
        do i = 1, length
            own(i:i) = letters(i)
        end do
    end function

    ! The message of this thread's last call that did not return SEICHE_OK.
    function seiche_last_message() result(message)
        character(len=:), allocatable :: message
        message = seiche_text_of(seiche_last_error())
    end function

end module
